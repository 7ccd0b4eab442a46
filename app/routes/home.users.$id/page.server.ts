import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { decideRequest, requireRequestDecision } from "~/domain/accounts/administration/dual-control.service.server";
import { mintAuthString } from "~/domain/accounts/administration/impersonation.service.server";
import { stoppedByAction } from "~/domain/accounts/administration/stopped-clients.server";
import { userActionTexts } from "~/domain/accounts/administration/user-administration-texts";
import { getAdministeredUser } from "~/domain/accounts/administration/user-administration-view.server";
import {
  administerAccount,
  requireAction,
  waitsForSecond,
} from "~/domain/accounts/administration/user-administration.service.server";
import { userList } from "~/domain/accounts/administration/user-list";
import { type SessionUser } from "~/domain/accounts/session-user";
import { userActionValidator as validator } from "~/domain/accounts/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { APPROVE_REQUEST, decidesRequest, FORM, WISH } from "./form";

const SECOND_DECIDES = "Nothing changes until a second user administrator approves it.";

/** Returns the parameters of the list page from which the account was opened. */
const listIn = (request: Request) => userList.read(new URL(request.url).searchParams);

export async function loader({ request, params }: LoaderFunctionArgs) {
  const admin = await requireUser(request, "see-users");
  const user = await getAdministeredUser(readId(params.id), admin);
  return json({ user, list: listIn(request) });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  const id = readId(params.id);
  const submitted = await readForm(request);
  const pressed = submitted.get("intent");
  const isDecision = decidesRequest(pressed);
  await requireFormStepUp(request, admin, { fields: submitted, ...(!isDecision && { formId: FORM }) }, async () => {
    const { email } = await getAdministeredUser(id, admin);
    if (!isDecision) return FORM_TASKS.account(pressed, email);
    return pressed === APPROVE_REQUEST ? FORM_TASKS.approveRequest(email) : FORM_TASKS.refuseRequest(email);
  });
  const to = userList.addTo(paths.user(id), listIn(request));
  if (isDecision) return decide(request, submitted, { admin, userId: id, to });
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  const { intent, reason } = form.data;
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  const { button, question, done } = userActionTexts(intent);
  const isWished = intent === "erase" && submitted.has(WISH);
  try {
    if (intent === "log-in-as") return redirect(serverPaths.loginAsUser(id, await mintAuthString(id, admin)), 303);
    if (question && submitted.get("confirmed") !== "yes") {
      await requireAction(intent, id, { actor: admin.actor, isWished });
      const notes = await stoppedByAction(intent, id);
      // The question about second factors says it itself.
      if (intent !== "reset-factors" && waitsForSecond(intent, admin.actor)) notes.unshift(SECOND_DECIDES);
      const asked = { intent, reason, ...(isWished && { [WISH]: "stands" }) };
      return json({ asked, ...(notes.length > 0 && { notes }) });
    }
    const outcome = await administerAccount({ action: intent, id, actor: admin.actor, reason, isWished });
    return await redirectWithToast(request, to, {
      kind: "ok",
      text: outcome === "requested" ? `A second user administrator has been asked to approve “${button}”.` : done,
    });
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}

interface Decision {
  admin: SessionUser;
  /** The account of the page. */
  userId: number;
  to: string;
}

/** Approves, refuses or withdraws a request of a user administrator about the account. An approval is asked about first. */
async function decide(request: Request, submitted: FormData, { admin, userId, to }: Decision): Promise<Response> {
  if (submitted.has("back")) return redirect(to, 303);
  const sent = submitted.get("request");
  const id = readId(typeof sent === "string" ? sent : "");
  const isApproval = submitted.get("intent") === APPROVE_REQUEST;
  try {
    if (isApproval && submitted.get("confirmed") !== "yes") {
      const asks = await requireRequestDecision({ id, userId }, admin.actor);
      return json({ asked: { intent: APPROVE_REQUEST, request: String(id), ...(asks && { [WISH]: "stands" }) } });
    }
    const key = { id, userId, isWished: submitted.has(WISH) };
    const text = await decideRequest(key, isApproval ? "approved" : "refused", admin.actor);
    return await redirectWithToast(request, to, { kind: "ok", text });
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

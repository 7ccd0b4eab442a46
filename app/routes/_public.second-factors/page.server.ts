import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import {
  getOwnFactors,
  removeOwnFactor,
  renameOwnFactor,
  renewRecoveryCodes,
  requireOwnFactor,
} from "~/domain/accounts/factors/factors.service.server";
import { factorNameValidator } from "~/domain/accounts/factors/validators";
import { type SessionUser } from "~/domain/accounts/session-user";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUserFor } from "~/http/guard.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { requireStepUp } from "~/http/step-up.server";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUserFor(request, "missingFactor");
  const isActing = user.impersonator !== null;
  return json({ ...(await getOwnFactors(user)), isActing, target: targetOf(request) });
}

/** What the buttons of the page ask for. `remove` is confirmed on a page of its own. */
const INTENTS = ["ask-rename", "rename", "ask-remove", "remove", "renew-codes"] as const;

type Intent = (typeof INTENTS)[number];

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUserFor(request, "missingFactor");
  const sent = await readForm(request);
  const intent = intentOf(sent, INTENTS);
  if (sent.has("back")) return redirect(paths.secondFactors(targetOf(request)), 303);
  if (intent !== "ask-rename" && intent !== "rename") await requireStepUp(request, user, { fields: sent });
  if (intent === "rename") return rename(request, user, sent);
  try {
    return await carryOut(request, user, intent, Number(sent.get("id")));
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

async function carryOut(request: Request, user: SessionUser, intent: Intent, id: number) {
  if (intent === "renew-codes") return json({ codes: await renewRecoveryCodes(user) });
  const factor = await requireOwnFactor(user, id);
  if (intent !== "remove") return json({ asked: { what: intent, factor } });
  await removeOwnFactor(user, id);
  return done(request, "The second factor has been removed.");
}

async function rename(request: Request, user: SessionUser, sent: FormData) {
  const form = await factorNameValidator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await renameOwnFactor(user, Number(form.data.id), form.data.name);
    return await done(request, "The second factor has been renamed.");
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}

const done = (request: Request, text: string) =>
  redirectWithToast(request, paths.secondFactors(targetOf(request)), { kind: "ok", text });

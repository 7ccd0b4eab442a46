import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import {
  getSignerPage,
  offerOwnPasskey,
  removeSignerFactor,
  requireSignerFactor,
  startOffer,
} from "~/domain/authorities/signer-people.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { answerWithOptions, asksForOptions, passkeyAnswerIn } from "~/http/passkeys.server";
import { refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { readId } from "~/lib/ids";
import { staffPaths } from "~/lib/staff-paths";
import { FORM } from "./form";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-signer");
  return json(await getSignerPage(user));
}

const textOf = (value: FormDataEntryValue | null): string => (typeof value === "string" ? value : "");

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "approve-orders");
  const sent = await readForm(request);
  if (asksForOptions(sent)) return answerWithOptions(() => startOffer(user, readId(textOf(sent.get("passkey")))), FORM);
  const answer = passkeyAnswerIn(sent);
  try {
    if (answer !== null) return await offer(request, user, readId(textOf(sent.get("passkey"))), answer);
    if (sent.has("back")) return redirect(staffPaths.signer, 303);
    const factor = await requireSignerFactor(user, textOf(sent.get("factor")));
    await requireFormStepUp(request, user, { fields: sent }, () => FORM_TASKS.removeFromSigner(factor.name));
    if (sent.get("intent") === "ask-remove") return json({ asked: factor });
    await removeSignerFactor(user, factor.id);
    return await done(request, `The ${factor.kind} of ${factor.person} has been removed from the signer.`);
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

async function offer(request: Request, user: SessionUser, passkey: number, answer: string): Promise<Response> {
  const id = await offerOwnPasskey(user, passkey, answer);
  return done(request, `The passkey waits for an operator of the signer. Read its number to them: ${id}.`);
}

const done = (request: Request, text: string) => redirectWithToast(request, staffPaths.signer, { kind: "ok", text });

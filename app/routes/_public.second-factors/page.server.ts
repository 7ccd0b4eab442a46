import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import {
  getOwnFactors,
  missingFactorText,
  removeOwnFactor,
  renameOwnFactor,
  renewRecoveryCodes,
  requireOwnFactor,
  requireRemovable,
} from "~/domain/accounts/factors/factors.service.server";
import { PASSKEY_ADD } from "~/domain/accounts/factors/passkey-intents";
import { addPasskey, startPasskeyAdd } from "~/domain/accounts/factors/passkeys.service.server";
import { factorNameValidator, newPasskeyValidator } from "~/domain/accounts/factors/validators";
import { type SessionUser } from "~/domain/accounts/session-user";
import { dutyOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUserFor } from "~/http/guard.server";
import { answerWithOptions, asksForOptions } from "~/http/passkeys.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { paths } from "~/lib/paths";
import { FORM, PASSKEY_FORM } from "./form";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUserFor(request, "missingFactor");
  const isActing = user.impersonator !== null;
  const missing = isActing ? null : missingFactorText(user.factorDueAt);
  const isOverdue = dutyOf(user) === "missingFactor"; // then no other page opens
  return json({ ...(await getOwnFactors(user)), missing, isOverdue, isActing, target: targetOf(request) });
}

/** What the buttons of the page ask for. `remove` and `renew-codes` are confirmed on a page of their own. */
const INTENTS = ["ask-rename", "rename", "ask-remove", "remove", "ask-renew-codes", "renew-codes"] as const;

type Intent = (typeof INTENTS)[number];

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUserFor(request, "missingFactor");
  const sent = await readForm(request);
  if (asksForOptions(sent) || sent.get("intent") === PASSKEY_ADD) return passkey(request, user, sent);
  const intent = intentOf(sent, INTENTS);
  if (sent.has("back")) return redirect(paths.secondFactors(targetOf(request)), 303);
  if (intent === "rename") return rename(request, user, sent);
  const id = Number(sent.get("id"));
  try {
    if (intent === "ask-rename") return json({ asked: { what: intent, factor: await requireOwnFactor(user, id) } });
    const isRemoval = intent === "ask-remove" || intent === "remove";
    const factor = isRemoval ? await requireRemovable(user, id) : null; // before the proof, which would be for nothing
    const task = () => (factor ? FORM_TASKS.removeFactor(factor.name) : FORM_TASKS.renewCodes());
    await requireFormStepUp(request, user, { fields: sent }, task);
    if (intent === "ask-remove") return json({ asked: { what: intent, factor } });
    return await carryOut(request, user, intent, id);
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

async function carryOut(request: Request, user: SessionUser, intent: Intent, id: number) {
  if (intent === "ask-renew-codes") return json({ asked: { what: intent } });
  if (intent === "renew-codes") return json({ codes: await renewRecoveryCodes(user) });
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

/** Answers the form for a new passkey: first with what the authenticator needs, then with the recovery codes or a message. */
async function passkey(request: Request, user: SessionUser, sent: FormData) {
  await requireFormStepUp(request, user, { fields: sent, formId: PASSKEY_FORM }, FORM_TASKS.addPasskey);
  const { error, data, submittedData } = await newPasskeyValidator.validate(sent);
  if (error) return invalid(error, { name: submittedData.name as unknown });
  const { name, answer } = data;
  if (asksForOptions(sent)) return answerWithOptions(() => startPasskeyAdd(user, name), PASSKEY_FORM);
  try {
    const codes = await addPasskey(user, { name, answer });
    return codes ? json({ codes, isFirst: true }) : await done(request, "The passkey has been added.");
  } catch (refusal) {
    return refused(refusal, { name }, PASSKEY_FORM);
  }
}

const done = (request: Request, text: string) =>
  redirectWithToast(request, paths.secondFactors(targetOf(request)), { kind: "ok", text });

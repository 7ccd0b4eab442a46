import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { confirmByPasskey, startConfirmByPasskey } from "~/domain/accounts/factors/passkeys.service.server";
import { kindsOf } from "~/domain/accounts/factors/pending-login.server";
import { confirmByCode, confirmByPassword, hasFreshProof } from "~/domain/accounts/factors/step-up.server";
import { currentPasswordValidator, factorCodeValidator } from "~/domain/accounts/factors/validators";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findProviderOf } from "~/domain/accounts/single-sign-on/linked-provider.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireSession } from "~/http/guard.server";
import { answerWithOptions, asksForOptions, passkeyAnswerIn } from "~/http/passkeys.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { askedTask, confirmedToast } from "~/http/step-up.server";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

/** Returns the logged-in user. Redirects an administrator who acts as a user, whom no page asks for a proof. */
async function requireOwner(request: Request): Promise<SessionUser> {
  const user = await requireSession(request);
  if (user.impersonator) throw redirect(targetOf(request));
  return user;
}

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireOwner(request);
  const target = targetOf(request);
  if (await hasFreshProof(user)) throw redirect(target);
  const provider = await findProviderOf(user);
  return json({
    ...(await askedTask(request, target, user)),
    kinds: await kindsOf(user.id),
    minutes: PROOF_MINUTES,
    signOn: provider && { name: provider.name, url: paths.singleSignOn(target, "yes") },
    /** Whoever came by single sign-on is not asked for a password of the portal. */
    hasPassword: !provider || user.signedOnWith === null,
  });
}

/** Checks the passkey, the code or, for an account without a second factor, the password. Returns the form with an error, or null. */
async function confirm(user: SessionUser, sent: FormData): Promise<Response | null> {
  const answer = passkeyAnswerIn(sent);
  if (answer !== null) await confirmByPasskey(user, answer);
  else if ((await kindsOf(user.id)).length > 0) {
    const { error, data, submittedData } = await factorCodeValidator.validate(sent);
    if (error) return invalid(error, submittedData);
    await confirmByCode(user, data.code);
  } else {
    const { error, data, submittedData } = await currentPasswordValidator.validate(sent);
    if (error) return invalid(error, submittedData);
    await confirmByPassword(user, data.currentPassword);
  }
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireOwner(request);
  const sent = await readForm(request);
  if (asksForOptions(sent)) return answerWithOptions(() => startConfirmByPasskey(user), FORM);
  try {
    const answer = await confirm(user, sent);
    if (answer) return answer;
  } catch (error) {
    return refused(error, {}, FORM);
  }
  const target = targetOf(request);
  return redirectWithToast(request, target, await confirmedToast(target, user));
}

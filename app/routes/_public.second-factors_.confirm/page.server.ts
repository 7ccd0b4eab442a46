import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { confirmByPasskey, startConfirmByPasskey } from "~/domain/accounts/factors/passkeys.service.server";
import { kindsOf } from "~/domain/accounts/factors/pending-login.server";
import { confirmByCode, confirmByPassword, hasFreshProof } from "~/domain/accounts/factors/step-up.server";
import { currentPasswordValidator, factorCodeValidator } from "~/domain/accounts/factors/validators";
import { type SessionUser } from "~/domain/accounts/session-user";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireSession } from "~/http/guard.server";
import { answerWithOptions, asksForOptions, passkeyAnswerIn } from "~/http/passkeys.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { isFilledAgain } from "~/http/unsent-form.server";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

/** Returns the logged-in user. Redirects an administrator who acts as a user, whom no page asks for a proof. */
async function requireOwner(request: Request): Promise<SessionUser> {
  const user = await requireSession(request);
  if (user.impersonator) throw redirect(targetOf(request));
  return user;
}

/** Returns whether a page is the one with the link to a file. */
const isFile = (target: string): boolean => target.startsWith(paths.privateFile(""));

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireOwner(request);
  const target = targetOf(request);
  if (await hasFreshProof(user)) throw redirect(target);
  const isOpen = isFile(target) || isFilledAgain(target); // other pages may ask for a proof before they open
  return json({ kinds: await kindsOf(user.id), minutes: PROOF_MINUTES, backTo: isOpen ? target : paths.dashboard });
}

/** Returns the message on the page that the user returns to. */
function confirmedText(target: string): string {
  const text = `You have confirmed that it is you, for ${PROOF_MINUTES} minutes.`;
  if (isFile(target)) return `${text} Now download the file.`;
  if (!isFilledAgain(target)) return `${text} Nothing was changed yet.`;
  return `${text} Nothing was changed yet: what you typed is in the form again. Please send it again.`;
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
  return redirectWithToast(request, target, { kind: "ok", text: confirmedText(target) });
}

import { json, redirect } from "@remix-run/node";
import { findRecoveryQuestion, openRecovery } from "~/domain/accounts/recovery/recovery-question.server";
import { checkResetCode, type EnteredCode, enterResetCode } from "~/domain/accounts/recovery/recovery.service.server";
import { resetCodeValidator } from "~/domain/accounts/recovery/validators";
import { clientOf } from "~/http/client.server";
import { readForm } from "~/http/forms.server";
import { invalid, refused } from "~/http/responses.server";
import { commitSession, getSession } from "~/http/session.server";
import { isPortalError } from "~/lib/errors";
import { isEmail } from "~/lib/fields";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";

/** Returns the email of a link. An invalid one becomes "", which is treated as unknown. */
export const emailOf = (param = ""): string => (param.length <= 200 && isEmail(param) ? param.toLowerCase() : "");

/** Returns the code of a link, or "" when it cannot be a code. */
export const codeOf = (param = ""): string => (/^[\w-]{1,100}$/.test(param) ? param : "");

/** Returns the data of the page. Opening a link does not use it up, because mail scanners open links too. */
export async function loadResetCode(request: Request, email: string, code: string) {
  return json({ email, code, ...(await openRecovery(email, code, clientOf(request))) });
}

/**
 * Checks the form. A refusal is shown above it as information (REC-04). After success the user goes to change-password with a permit in the
 * cookie. `linkCode` is the code in the page's address, whose question was shown. When a valid code of another account with the same email
 * is typed there, that account's question is shown first.
 */
export async function submitResetCode(request: Request, email: string, linkCode: string) {
  const sent = await readForm(request);
  const typed = sent.get("resetCode");
  const asked = await findRecoveryQuestion(email, typeof typed === "string" ? typed.trim() : "");
  const form = await resetCodeValidator(asked.question !== null).validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  const { resetCode, securityAnswer } = form.data;
  let entered: EnteredCode;
  try {
    entered = await enterResetCode(email, resetCode, clientOf(request));
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
  const shown = await findRecoveryQuestion(email, linkCode);
  if (entered.username !== null && entered.question !== null && entered.question !== shown.question)
    return redirect(serverPaths.resetCodeLink(resetCode, email), { status: 303 });
  try {
    const permit = await checkResetCode(entered, securityAnswer);
    const session = await getSession(request);
    session.unset("recoveryEmail");
    session.set("changePermit", permit);
    return redirect(paths.changePassword(), { status: 303, headers: { "Set-Cookie": await commitSession(session) } });
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return json({ info: error.message, repopulateFields: { resetCode } }, { status: error.status });
  }
}

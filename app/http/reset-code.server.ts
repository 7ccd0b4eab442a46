import { json, redirect } from "@remix-run/node";
import { resetCodeValidator } from "~/domain/accounts/recovery/recovery.lazy-validators";
import { findRecoveryQuestion } from "~/domain/accounts/recovery/recovery-question.server";
import { checkResetCode } from "~/domain/accounts/recovery/recovery.service.server";
import { isPortalError } from "~/lib/errors";
import { isEmail } from "~/lib/fields";
import { paths } from "~/lib/paths";
import { readForm } from "./forms.server";
import { addressOf, countTry } from "./rate-limit.server";
import { invalid, refused } from "./responses.server";
import { commitSession, getSession } from "./session.server";

/** The e-mail of a link; one that is none is treated as unknown. */
export const emailOf = (param = ""): string => (param.length <= 200 && isEmail(param) ? param.toLowerCase() : "");

/** The code of a link as far as it can be one. */
export const codeOf = (param = ""): string => (/^[\w-]{1,100}$/.test(param) ? param : "");

/** What the page shows. Opening a link uses up nothing: mail scanners open links, too. */
export async function loadResetCode(request: Request, email: string, code: string) {
  await countTry("reset-code-address", addressOf(request));
  return json({ email, code, question: await findRecoveryQuestion(email, code) });
}

/** Checks the form. A refusal is told above it as information (A §2); success goes to change-password with a permit in the cookie. */
export async function submitResetCode(request: Request, email: string) {
  const sent = await readForm(request);
  const code = sent.get("resetCode");
  const question = await findRecoveryQuestion(email, typeof code === "string" ? code.trim() : "");
  const form = await resetCodeValidator(question !== null).validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  const { resetCode, securityAnswer } = form.data;
  try {
    await countTry("reset-code-address", addressOf(request));
    await countTry("reset-code-account", email);
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
  try {
    const permit = await checkResetCode({ email, code: resetCode, answer: securityAnswer });
    const session = await getSession(request);
    session.unset("recoveryEmail");
    session.set("changePermit", permit);
    return redirect(paths.changePassword(), { status: 303, headers: { "Set-Cookie": await commitSession(session) } });
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return json({ info: error.message, repopulateFields: { resetCode } }, { status: error.status });
  }
}

import { isPortalError } from "~/lib/errors";
import { isBlank } from "~/lib/fields";

/** Longer passwords are refused by every form, and are not judged. */
const LONGEST = 50;

/** Returns why a password is too easy to guess, or null. It must not say whether it is the current one. */
type Judge = (password: string) => Promise<string | null>;

type FieldErrors = Readonly<Record<string, string>>;

/**
 * Returns the errors of a form together with the weakness of the new password in its field `password`, so that a person sees all faults at
 * once. A password that already has an error is not judged.
 */
export async function withWeakPassword(errors: FieldErrors, password: unknown, judge: Judge): Promise<FieldErrors> {
  if (errors.password || typeof password !== "string" || isBlank(password) || password.length > LONGEST) return errors;
  const problem = await judge(password);
  return problem === null ? errors : { ...errors, password: problem };
}

/** Returns the weakness of the new password as an error to show beside a refusal of another field. Empty when there is none. */
export const besideRefusal = async (refusal: unknown, password: unknown, judge: Judge): Promise<FieldErrors> =>
  isPortalError(refusal) && refusal.field !== undefined && refusal.field !== "password"
    ? withWeakPassword({}, password, judge)
    : {};

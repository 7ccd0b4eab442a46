import { getConfig } from "~/lib/config.server";
import { passwordTooShort } from "./accounts.policy";
import { isBreached } from "./breached-passwords.server";
import { strengthProblem } from "./password-strength.server";

/** Reduces a text to lower-case letters without accents and digits, so that `zoe-obrien` equals the name Zoë O'Brien. */
const bare = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const BREACHED =
  "This password is in a list of passwords that were stolen elsewhere. Choose one that you use nowhere else.";

/** Returns whether the password is one of these texts or a word of one. Words of fewer than four characters do not count. */
function isOwnData(password: string, own: readonly string[]): boolean {
  const parts = own.flatMap((value) => [value, ...value.split("@"), ...value.split(/[\s@.]+/)]).map(bare);
  return parts.some((part) => part.length >= 4 && bare(password) === part);
}

/**
 * Returns why a new password is refused, or null. It is refused when it is too short, the person's own data, easy to guess or known from a
 * breach. Slow: must not be called inside a transaction.
 *
 * @param own Data of the person and the company.
 */
export async function newPasswordProblem(password: string, own: readonly string[]): Promise<string | null> {
  const { accounts, certificates } = getConfig();
  if (password.length < accounts.passwordMinLength) return passwordTooShort(accounts.passwordMinLength);
  if (isOwnData(password, own)) return "The password must not be your own name, company or email address.";
  const weak = await strengthProblem(password, [...own, certificates.organisation]);
  return weak ?? ((await isBreached(password)) ? BREACHED : null);
}

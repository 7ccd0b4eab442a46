import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
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

/** Returns these texts and their words, without those of fewer than three characters. The longest come first. */
const wordsOf = (texts: readonly string[]): string[] => {
  const words = texts.flatMap((text) => [text, ...text.split("@"), ...text.split(/[\s@.-]+/)]).map(bare);
  return [...new Set(words)].filter(({ length }) => length >= 3).sort((one, other) => other.length - one.length);
};

/** Returns whether at most three characters of the password are left when these texts and their words are taken out of it. */
function isMadeOf(password: string, texts: readonly string[]): boolean {
  const rest = wordsOf(texts).reduce((left, word) => left.replaceAll(word, ""), bare(password));
  return rest.length <= 3 && rest.length < bare(password).length;
}

/** Words of this field that an attacker tries early. zxcvbn's dictionaries do not have them. */
const FIELD_WORDS = [
  "OFTP",
  "OFTP2",
  "Odette",
  "Oscar",
  "ENGDAT",
  "VDA",
  "certificate",
  "Zertifikat",
  "X509",
  "Marque",
];

/** Returns the names and words that belong to this portal and to its field. A password may not consist of them. */
function portalWords(): string[] {
  const { branding, certificates, legal, seller } = getConfig();
  const names = [branding.name, branding.mailName, certificates.organisation, legal.company, seller.name];
  return [...names, new URL(getEnv().publicUrl).hostname, ...FIELD_WORDS];
}

/**
 * Returns why a new password is refused, or null. It is refused when it is too short, the person's own data, easy to guess, made of the
 * portal's own words or known from a breach. Slow: must not be called inside a transaction.
 *
 * @param own Data of the person and the company.
 */
export async function newPasswordProblem(password: string, own: readonly string[]): Promise<string | null> {
  const { accounts } = getConfig();
  if (password.length < accounts.passwordMinLength) return passwordTooShort(accounts.passwordMinLength);
  if (isMadeOf(password, own)) return "The password must not be your own name, company or email address.";
  const words = [...own, ...portalWords()];
  if (isMadeOf(password, words)) return "The password must not be made of names and words of this portal.";
  const weak = await strengthProblem(password, words);
  return weak ?? ((await isBreached(password)) ? BREACHED : null);
}

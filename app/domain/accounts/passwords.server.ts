import { hash, verify, type Options } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";
import { passwordTooShort } from "./accounts.policy";

/** argon2id with the OWASP parameters: 19 MiB, 2 passes, 1 lane. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFC"), options);

let decoy: Promise<string> | undefined;

/**
 * Whether the password fits the stored hash. Without a hash (no such account) it works as long on a decoy and answers false,
 * so that the time taken tells nothing.
 */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  const isRight = await verify(storedHash ?? (await (decoy ??= hashPassword("decoy"))), password.normalize("NFC"));
  return storedHash !== null && isRight;
}

/** Security answers are compared trimmed and case-folded. */
const foldAnswer = (answer: string) => answer.trim().toLowerCase();

export const hashAnswer = (answer: string): Promise<string> => hashPassword(foldAnswer(answer));

export const verifyAnswer = (storedHash: string, answer: string): Promise<boolean> =>
  verifyPassword(storedHash, foldAnswer(answer));

const isCommon = (() => {
  let common: Set<string> | undefined;
  return (password: string) => (common ??= new Set(dictionary["passwords-common"])).has(password.toLowerCase());
})();

/** Letters without accents, and digits: `zoe-obrien` is the name Zoë O'Brien. */
const bare = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Why a new password is refused, or null. `minLength` comes from the configuration; `own` is the person's data, of which it may be
 * neither a whole text nor a word.
 */
export function passwordProblem(password: string, minLength: number, own: readonly string[]): string | null {
  if (password.length < minLength) return passwordTooShort(minLength);
  if (isCommon(password)) return "This password is among the most common ones. Please choose another.";
  const parts = own.flatMap((value) => [value, ...value.split("@"), ...value.split(/[\s@.]+/)]).map(bare);
  if (parts.some((part) => part.length >= 4 && bare(password) === part))
    return "The password must not be your own name, company or e-mail address.";
  return null;
}

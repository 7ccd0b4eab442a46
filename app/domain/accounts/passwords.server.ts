import { randomBytes } from "node:crypto";
import { hash, verify, type Options } from "@node-rs/argon2";

/** argon2id with the parameters that OWASP recommends: 19 MiB, 2 passes, 1 lane. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFC"), options);

/** Returns the hash of a password that nobody knows. A login with it takes as long as any other. */
export const hashUnknownPassword = (): Promise<string> => hashPassword(randomBytes(32).toString("base64url"));

let decoy: Promise<string> | undefined;

/**
 * Returns whether the password matches the stored hash. Without a hash, when there is no such account, it verifies against a decoy and
 * returns false, so that the time taken does not show whether the account exists.
 */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  const isRight = await verify(storedHash ?? (await (decoy ??= hashPassword("decoy"))), password.normalize("NFC"));
  return storedHash !== null && isRight;
}

/** Security answers are compared trimmed and without regard to case. */
const foldAnswer = (answer: string) => answer.trim().toLowerCase();

export const hashAnswer = (answer: string): Promise<string> => hashPassword(foldAnswer(answer));

export const verifyAnswer = (storedHash: string, answer: string): Promise<boolean> =>
  verifyPassword(storedHash, foldAnswer(answer));

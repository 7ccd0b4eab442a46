import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const stored = readFileSync("tests/support/keys/rsa-2048.pem", "utf8").match(/-----BEGIN[\s\S]+?-----END.+\n/g) ?? [];
let used = 0;

/**
 * A private RSA key of 2048 bits as PKCS #8 PEM. No two calls of one test file give the same key: each file starts from the first of
 * the stored keys. When they are used up, new ones are made.
 */
export function nextRsaKey(): string {
  const key = stored[used];
  used += 1;
  if (key) return key;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Lets the next test file start from the first key. */
export function restartKeys(): void {
  used = 0;
}

/**
 * The path of a prepared RSA key that takes long to make, by its size and what is special about it: `2048-prime-modulus` has one prime as
 * modulus, and signs by Fermat's theorem (p = n, q = 1); `4096-roca` two primes as the ROCA library made them.
 */
export const preparedKey = (name: string): string => resolve(`tests/support/keys/rsa-${name}.pem`);

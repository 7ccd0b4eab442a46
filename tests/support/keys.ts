import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const stored = readFileSync("tests/support/keys/rsa-2048.pem", "utf8").match(/-----BEGIN[\s\S]+?-----END.+\n/g) ?? [];
let used = 0;

/**
 * Returns a private RSA key of 2048 bits as PKCS #8 PEM. No two calls in one test file return the same key: each file starts with the first
 * of the stored keys. When all are used, new ones are generated.
 */
export function nextRsaKey(): string {
  const key = stored[used];
  used += 1;
  if (key) return key;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Makes the next test file start with the first key. */
export function restartKeys(): void {
  used = 0;
}

/**
 * Returns the path of a prepared RSA key that takes long to generate. The name is its size and what is special about it:
 * `2048-prime-modulus` has one prime as modulus, and signs by Fermat's theorem (p = n, q = 1); `4096-roca` has two primes as the ROCA
 * library generated them.
 */
export const preparedKey = (name: string): string => resolve(`tests/support/keys/rsa-${name}.pem`);

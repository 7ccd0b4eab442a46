import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";

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

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { getEnv, requireSecret } from "~/lib/env.server";

/** AES-256-GCM with 96-bit nonces and 128-bit tags (NIST SP 800-38D). */
const CIPHER = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;

const secrets = () => requireSecret(getEnv().auditKeys, "AUDIT_KEYS");

/** Returns the key of one account and purpose (HKDF, RFC 5869), so that a box cannot be opened in another place. */
const keyOf = (secret: string, context: string) =>
  Buffer.from(hkdfSync("sha256", secret, "", `marque secret box ${context}`, 32));

/**
 * Encrypts a short secret with a key that is derived from the newest of AUDIT_KEYS. Returns base64url.
 *
 * @param context What the secret is for and whose it is, such as `totp 12`. It must be the same when the box is opened.
 */
export function seal(plain: string, context: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, keyOf(secrets()[0] as string, context), nonce);
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64url");
}

function tryToOpen(box: Buffer, key: Buffer): string | null {
  const decipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(box.subarray(-TAG));
  try {
    return decipher.update(box.subarray(NONCE, -TAG), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

/** Returns the secret in a box, or null when none of AUDIT_KEYS has made it for this context. */
export function open(sealed: string, context: string): string | null {
  const box = Buffer.from(sealed, "base64url");
  if (box.length < NONCE + TAG) return null;
  for (const secret of secrets()) {
    const plain = tryToOpen(box, keyOf(secret, context));
    if (plain !== null) return plain;
  }
  return null;
}

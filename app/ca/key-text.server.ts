import { type KeyObject, randomBytes } from "node:crypto";
import { encryptPrivateKey, spkiDerOf } from "./keys.server";
import { sha256Hex } from "./thumbprint.server";

const PUBLIC_KEY_LINE = /^Public key SHA-256: ([0-9a-f]{64})$/m;

/** Returns the SHA-256 of a public key, or of the public half of a private key. */
export const keyFingerprint = (key: KeyObject): string => sha256Hex(spkiDerOf(key));

/**
 * Returns the fingerprint that the portal's key files have above the PEM block (explanatory text, RFC 7468 §2). Returns null for files from
 * elsewhere.
 */
export const fingerprintNoted = (pem: string): string | null => PUBLIC_KEY_LINE.exec(pem)?.[1] ?? null;

/** Returns the text of a key file: the key, encrypted with the passphrase, below what it is. `name` is that of the CA. */
export async function encryptedText(name: string, key: KeyObject, passphrase: string): Promise<string> {
  const pem = await encryptPrivateKey(key, passphrase, randomBytes);
  return `CA key '${name}', encrypted. Keep a copy in a safe place.\nPublic key SHA-256: ${keyFingerprint(key)}\n${pem}`;
}

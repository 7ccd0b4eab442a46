import { createHash } from "node:crypto";
import { type Csr } from "./read.server";

/**
 * The fingerprint of Debian's openssl-blacklist, 10 bytes: the last 20 of the 40 hex digits of SHA-1 over the line that
 * `openssl rsa -modulus` prints (openssl-vulnkey(1)).
 */
function blacklistFingerprint(modulus: bigint): Buffer {
  const line = `Modulus=${modulus.toString(16).toUpperCase()}\n`;
  return createHash("sha1").update(line).digest().subarray(10);
}

/** The fingerprints by which lists of known bad keys name the key of a CSR: SHA-256 of its SubjectPublicKeyInfo, and the above for RSA. */
export function listFingerprints({ publicKey, spkiSha256 }: Pick<Csr, "publicKey" | "spkiSha256">): Buffer[] {
  const spki = Buffer.from(spkiSha256, "hex");
  return publicKey.algorithm === "RSA" ? [spki, blacklistFingerprint(publicKey.modulus)] : [spki];
}

import { webcrypto } from "node:crypto";
import { type SignatureHash } from "../signer.server";

/** DER of DigestInfo up to the digest itself (RFC 8017 §9.2, note 1). */
const PREFIX: Record<SignatureHash, string> = {
  sha256: "3031300d060960864801650304020105000420",
  sha512: "3051300d060960864801650304020305000440",
};

const NAMES = { sha256: "SHA-256", sha512: "SHA-512" } as const;

/** DER of the DigestInfo of these bytes, which EMSA-PKCS1-v1_5 pads and signs. Hashed off the main thread: lists have megabytes. */
export async function digestInfo(hash: SignatureHash, bytes: Uint8Array): Promise<Buffer> {
  const digest = await webcrypto.subtle.digest(NAMES[hash], bytes);
  return Buffer.concat([Buffer.from(PREFIX[hash], "hex"), Buffer.from(digest)]);
}

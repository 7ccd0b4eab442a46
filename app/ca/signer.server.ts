import { constants, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";

/** Hash of a CA signature; the algorithm is always RSASSA-PKCS1-v1_5. */
export type SignatureHash = "sha256" | "sha512";

/** The one door to a CA's private key. Other key stores (PKCS #11) implement this and nothing else. */
export interface Signer {
  readonly hash: SignatureHash;
  /** RSASSA-PKCS1-v1_5 signature (RFC 8017 §8.2) over the DER to be signed, as the bare signature octets. */
  sign(tbs: Uint8Array): Promise<Uint8Array>;
}

const signInBackground = promisify(sign);

/** A signer over a key in memory. Signatures are made in the thread pool, several at a time. */
export function softwareSigner(privateKey: KeyObject, hash: SignatureHash): Signer {
  return {
    hash,
    sign: (tbs) => signInBackground(hash, tbs, { key: privateKey, padding: constants.RSA_PKCS1_PADDING }),
  };
}

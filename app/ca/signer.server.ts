import { constants, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";

/** Hash of a CA signature; the algorithm is always RSASSA-PKCS1-v1_5. */
export type SignatureHash = "sha256" | "sha512";

/** The only access to the private key of a CA. Other key stores (PKCS #11) implement only this interface. */
export interface Signer {
  readonly hash: SignatureHash;
  /** Returns the RSASSA-PKCS1-v1_5 signature (RFC 8017 §8.2) of the TBS bytes, as bare signature octets. */
  sign(tbs: Uint8Array): Promise<Uint8Array>;
}

const signInBackground = promisify(sign);

/** Returns a signer with a key in memory. The thread pool can make several signatures at the same time. */
export function softwareSigner(privateKey: KeyObject, hash: SignatureHash): Signer {
  return {
    hash,
    sign: (tbs) => signInBackground(hash, tbs, { key: privateKey, padding: constants.RSA_PKCS1_PADDING }),
  };
}

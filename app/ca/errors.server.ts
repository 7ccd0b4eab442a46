export type CaErrorCode =
  | "wrong-passphrase"
  | "not-an-encrypted-key"
  | "malformed"
  | "invalid-argument"
  | "issued-certificate-differs"
  | "token"
  | "wrong-pin"
  | "signer"
  | "signer-refused"
  | "signer-ceiling"
  | "signer-no-grant"
  | "signer-not-found"
  | "signer-older-crl"
  | "signer-factor";

/** The error of the CA layer: incorrect use, or malformed bytes. It never contains key material. */
export class CaError extends Error {
  override readonly name = "CaError";

  constructor(
    readonly code: CaErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export type CaErrorCode =
  | "wrong-passphrase"
  | "not-an-encrypted-key"
  | "malformed"
  | "invalid-argument"
  | "issued-certificate-differs"
  | "token"
  | "wrong-pin";

/** What the CA layer throws: wrong use, or bytes of our own that are not what they should be. Never carries key material. */
export class CaError extends Error {
  override readonly name = "CaError";

  constructor(
    readonly code: CaErrorCode,
    message: string,
  ) {
    super(message);
  }
}

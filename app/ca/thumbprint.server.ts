import { createHash } from "node:crypto";

/** Returns the thumbprint of a DER certificate or CRL in upper-case hex, as certificate viewers show it. */
export function thumbprint(der: Uint8Array, algorithm: "sha1" | "sha256"): string {
  return createHash(algorithm).update(der).digest("hex").toUpperCase();
}

/** Returns the SHA-256 in lower-case hex, the form in which keys and CSRs are looked up. */
export const sha256Hex = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

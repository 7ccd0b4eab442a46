import { createHash } from "node:crypto";

/** Thumbprint of a DER certificate (or list) as upper-case hex, as certificate viewers show it. */
export function thumbprint(der: Uint8Array, algorithm: "sha1" | "sha256"): string {
  return createHash(algorithm).update(der).digest("hex").toUpperCase();
}

/** SHA-256 as lower-case hex, the form in which keys and requests are looked up. */
export const sha256Hex = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

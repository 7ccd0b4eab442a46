import { createHash } from "node:crypto";
import { bytesOfInteger } from "~/lib/big-integer";
import { type Csr } from "./read.server";

/**
 * Returns the fingerprint of Debian's openssl-blacklist, 10 bytes: the last 20 of the 40 hex digits of the SHA-1 of the line that `openssl
 * rsa -modulus` prints (openssl-vulnkey(1)).
 */
function blacklistFingerprint(modulus: bigint): Buffer {
  const line = `Modulus=${modulus.toString(16).toUpperCase()}\n`;
  return createHash("sha1").update(line).digest().subarray(10);
}

/** The number of bytes of the SHA-256 that badkeys stores. */
export const BADKEYS_BYTES = 15;

/** Returns the fingerprint of badkeys (BKHASH120): the first 15 bytes of the SHA-256 of one number of the key without leading zeros. */
const badkeysFingerprint = (value: bigint): Buffer =>
  createHash("sha256").update(bytesOfInteger(value)).digest().subarray(0, BADKEYS_BYTES);

/** Returns the x coordinate of the uncompressed point at the end of a SubjectPublicKeyInfo: 04, x, y. */
function xCoordinate(spkiDer: Uint8Array, bits: number): bigint {
  const bytes = bits / 8;
  return BigInt(`0x${Buffer.from(spkiDer.subarray(-2 * bytes, -bytes)).toString("hex")}`);
}

/**
 * Returns the fingerprints by which lists of known bad keys identify the key of a CSR: the SHA-256 of its SubjectPublicKeyInfo, the
 * fingerprint of badkeys (for RSA of the modulus, for EC of the x coordinate), and that of Debian for RSA.
 */
export function listFingerprints({
  publicKey,
  spkiDer,
  spkiSha256,
}: Pick<Csr, "publicKey" | "spkiDer" | "spkiSha256">) {
  const spki = Buffer.from(spkiSha256, "hex");
  if (publicKey.algorithm === "RSA")
    return [spki, badkeysFingerprint(publicKey.modulus), blacklistFingerprint(publicKey.modulus)];
  if (publicKey.algorithm === "EC" && publicKey.hasValidPoint)
    return [spki, badkeysFingerprint(xCoordinate(spkiDer, publicKey.bits))];
  return [spki];
}

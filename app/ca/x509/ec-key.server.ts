import { ECDH } from "node:crypto";
import * as asn1js from "asn1js";
import { type AlgorithmIdentifier } from "pkijs";

/** Information about an EC key. `bits` is the length of the field, or 0 for curves that are never accepted. */
export interface EcKeyInfo {
  bits: number;
  /** For example `P-256`, the OID of an unknown curve, or a text that says that the curve has no name. */
  curve: string;
  /** Whether the point is on the curve and is not the point at infinity. False for an unknown curve. */
  hasValidPoint: boolean;
}

/** Named curves that can be accepted (RFC 5480 §2.1.1.1), with OpenSSL's names. */
const CURVES: Partial<Record<string, { curve: string; bits: number; opensslName: string }>> = {
  "1.2.840.10045.3.1.7": { curve: "P-256", bits: 256, opensslName: "prime256v1" },
  "1.3.132.0.34": { curve: "P-384", bits: 384, opensslName: "secp384r1" },
};

/** Names of other curves, for messages. */
const OTHER_CURVES: Partial<Record<string, string>> = {
  "1.3.132.0.10": "secp256k1",
  "1.3.132.0.33": "P-224",
  "1.3.132.0.35": "P-521",
  "1.3.36.3.3.2.8.1.1.7": "brainpoolP256r1",
  "1.3.36.3.3.2.8.1.1.11": "brainpoolP384r1",
};

/**
 * Reads the parameters and the point of an EC key (RFC 5480 §2). `uncompressed` is the uncompressed form of a valid point, otherwise null.
 *
 * A KeyObject must not be used here: Node 20 ends the whole process when the point at infinity is exported as JWK.
 */
export function readEcPoint(
  { algorithmParams }: AlgorithmIdentifier,
  point: Uint8Array,
): EcKeyInfo & { uncompressed: Uint8Array | null } {
  const identifier = algorithmParams instanceof asn1js.ObjectIdentifier ? algorithmParams.getValue() : null;
  const known = identifier === null ? undefined : CURVES[identifier];
  if (!known) {
    const curve = identifier === null ? "described by numbers" : (OTHER_CURVES[identifier] ?? identifier);
    return { bits: 0, curve, hasValidPoint: false, uncompressed: null };
  }
  const { curve, bits, opensslName } = known;
  const uncompressed = uncompressedPoint(point, opensslName, bits);
  return { curve, bits, hasValidPoint: uncompressed !== null, uncompressed };
}

/**
 * Returns the uncompressed form of a point, or null when it is not a valid point. OpenSSL's conversion checks that the point is on the
 * curve (SEC 1 §2.3.4). Infinity stays one octet and gives null.
 */
function uncompressedPoint(point: Uint8Array, opensslName: string, bits: number): Uint8Array | null {
  try {
    const converted = Buffer.from(
      ECDH.convertKey(point, opensslName, undefined, "hex", "uncompressed") as string,
      "hex",
    );
    return converted.length === 1 + bits / 4 ? converted : null;
  } catch {
    return null;
  }
}

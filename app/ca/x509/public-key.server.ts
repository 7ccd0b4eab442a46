import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import * as asn1js from "asn1js";
import { AlgorithmIdentifier, PublicKeyInfo as SubjectPublicKeyInfo, RSAPublicKey } from "pkijs";
import { derOf, malformed, membersOf, parseDer, reading, unsigned, wholeBytes } from "../der.server";
import { spkiDerOf } from "../keys.server";
import { OID } from "../oids.server";

/** A public key as people and rules need it; `bits` is the modulus or field length. */
export type PublicKeyInfo =
  | { algorithm: "RSA"; bits: number; modulus: bigint; exponent: bigint }
  | { algorithm: "EC"; bits: number; curve: string }
  | { algorithm: "other"; bits: 0; name: string };

const CURVES: Partial<Record<string, { curve: string; bits: number }>> = {
  prime256v1: { curve: "P-256", bits: 256 },
  secp384r1: { curve: "P-384", bits: 384 },
  secp521r1: { curve: "P-521", bits: 521 },
};

/**
 * Reads a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). `spkiDer` is its one canonical encoding, so that a key written in another way
 * (parameters left out, compressed point) still has the same fingerprint. Throws CaError `malformed` when it is not DER.
 */
export function readPublicKey(spki: Uint8Array): { publicKey: PublicKeyInfo; spkiDer: Uint8Array } {
  const { algorithm, subjectPublicKey } = parseSpki(spki);
  const oid = algorithm.algorithmId;
  if (oid === OID.rsaEncryption) return readRsaKey(wholeBytes(subjectPublicKey));
  const key = importKey(spki);
  if (key?.asymmetricKeyType === "ec") return readEcKey(key);
  return { publicKey: { algorithm: "other", bits: 0, name: key?.asymmetricKeyType ?? oid }, spkiDer: spki };
}

/** Throws CaError `malformed`. */
export const parseSpki = (spki: Uint8Array): SubjectPublicKeyInfo =>
  reading(() => new SubjectPublicKeyInfo({ schema: parseDer(spki) }));

/** RSAPublicKey (RFC 8017 appendix A.1.1), written again with the NULL that RFC 3279 §2.3.1 asks for. */
function readRsaKey(subjectPublicKey: Uint8Array): ReturnType<typeof readPublicKey> {
  const [modulus, exponent] = membersOf(parseDer(subjectPublicKey)).map(unsigned);
  if (!modulus || !exponent) throw malformed("not an RSAPublicKey");
  const key = new RSAPublicKey({
    modulus: asn1js.Integer.fromBigInt(modulus),
    publicExponent: asn1js.Integer.fromBigInt(exponent),
  });
  const spki = new SubjectPublicKeyInfo({
    algorithm: new AlgorithmIdentifier({ algorithmId: OID.rsaEncryption, algorithmParams: new asn1js.Null() }),
    subjectPublicKey: new asn1js.BitString({ valueHex: derOf(key.toSchema()) }),
  });
  return {
    publicKey: { algorithm: "RSA", bits: bitLength(modulus), modulus, exponent },
    spkiDer: derOf(spki.toSchema()),
  };
}

function bitLength(value: bigint): number {
  const hex = value.toString(16);
  return hex.length * 4 - Math.clz32(parseInt(hex.charAt(0), 16)) + 28;
}

/** Through JWK, which knows only the full point; curves that have no JWK are never accepted and stay as they are. */
function readEcKey(key: KeyObject): ReturnType<typeof readPublicKey> {
  const namedCurve = key.asymmetricKeyDetails?.namedCurve ?? "unnamed";
  const known = CURVES[namedCurve];
  if (!known) return { publicKey: { algorithm: "EC", bits: 0, curve: namedCurve }, spkiDer: spkiDerOf(key) };
  const canonical = createPublicKey({ key: key.export({ format: "jwk" }), format: "jwk" });
  return { publicKey: { algorithm: "EC", ...known }, spkiDer: spkiDerOf(canonical) };
}

function importKey(spki: Uint8Array): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
  } catch {
    return null;
  }
}

/** Key identifier: SHA-1 of the subjectPublicKey bits (RFC 5280 §4.2.1.2, method 1). A name for the key, not a protection. */
export function keyIdentifierOf(spkiDer: Uint8Array): Uint8Array {
  return createHash("sha1")
    .update(wholeBytes(parseSpki(spkiDer).subjectPublicKey))
    .digest();
}

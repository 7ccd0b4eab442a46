import { createHash } from "node:crypto";
import * as asn1js from "asn1js";
import { AlgorithmIdentifier, PublicKeyInfo as SubjectPublicKeyInfo, RSAPublicKey } from "pkijs";
import { derOf, malformed, membersOf, parseDer, reading, unsigned, wholeBytes } from "../der.server";
import { OID } from "../oids.server";
import { sha256Hex } from "../thumbprint.server";
import { type EcKeyInfo, readEcPoint } from "./ec-key.server";

/** A public key as people and rules need it; `bits` is the modulus or field length. */
export type PublicKeyInfo =
  | { algorithm: "RSA"; bits: number; modulus: bigint; exponent: bigint }
  | ({ algorithm: "EC" } & EcKeyInfo)
  | { algorithm: "other"; bits: 0; name: string };

export interface ReadPublicKey {
  publicKey: PublicKeyInfo;
  /** The one canonical encoding: a key written in another way (parameters left out, compressed point) has the same. */
  spkiDer: Uint8Array;
}

/** Names for messages of keys that no configuration accepts (RFC 3279 §2.3, RFC 4055 §1.2, RFC 8410 §3). */
const OTHER_ALGORITHMS: Partial<Record<string, string>> = {
  [OID.rsassaPss]: "RSASSA-PSS",
  "1.2.840.10040.4.1": "DSA",
  "1.2.840.10046.2.1": "DH",
  "1.3.101.110": "X25519",
  "1.3.101.111": "X448",
  "1.3.101.112": "Ed25519",
  "1.3.101.113": "Ed448",
};

/**
 * Reads a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) without handing it to OpenSSL: foreign bytes reach that in their canonical form
 * only, and after they were judged. Throws CaError `malformed` when it is not DER.
 */
export function readPublicKey(spki: Uint8Array): ReadPublicKey {
  const { algorithm, subjectPublicKey } = parseSpki(spki);
  const oid = algorithm.algorithmId;
  if (oid === OID.rsaEncryption) return readRsaKey(wholeBytes(subjectPublicKey));
  if (oid === OID.ecPublicKey) return readEcKey(spki, algorithm, wholeBytes(subjectPublicKey));
  return { publicKey: { algorithm: "other", bits: 0, name: OTHER_ALGORITHMS[oid] ?? oid }, spkiDer: spki };
}

/**
 * What makes two keys the same secret, lower-case hex SHA-256: of the modulus for RSA (whoever can factor it has the private key for
 * every exponent), else of the SubjectPublicKeyInfo.
 */
export const keyIdentityOf = ({ publicKey, spkiDer }: ReadPublicKey): string =>
  sha256Hex(publicKey.algorithm === "RSA" ? Buffer.from(publicKey.modulus.toString(16)) : spkiDer);

/** Throws CaError `malformed`. */
export const parseSpki = (spki: Uint8Array): SubjectPublicKeyInfo =>
  reading(() => new SubjectPublicKeyInfo({ schema: parseDer(spki) }));

/** RSAPublicKey (RFC 8017 appendix A.1.1), written again with the NULL that RFC 3279 §2.3.1 asks for. */
function readRsaKey(subjectPublicKey: Uint8Array): ReadPublicKey {
  const [modulus, exponent, ...rest] = membersOf(parseDer(subjectPublicKey)).map(unsigned);
  if (!modulus || !exponent || rest.length > 0) throw malformed("not an RSAPublicKey");
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

/** ECPoint on a named curve (RFC 5480 §2), written again uncompressed; a key that is never accepted stays as it is. */
function readEcKey(spki: Uint8Array, algorithm: AlgorithmIdentifier, point: Uint8Array): ReadPublicKey {
  const { uncompressed, ...info } = readEcPoint(algorithm, point);
  const canonical = new SubjectPublicKeyInfo({
    algorithm,
    subjectPublicKey: new asn1js.BitString({ valueHex: uncompressed ?? point }),
  });
  return { publicKey: { algorithm: "EC", ...info }, spkiDer: uncompressed ? derOf(canonical.toSchema()) : spki };
}

/** Key identifier: SHA-1 of the subjectPublicKey bits (RFC 5280 §4.2.1.2, method 1). A name for the key, not a protection. */
export function keyIdentifierOf(spkiDer: Uint8Array): Uint8Array {
  return createHash("sha1")
    .update(wholeBytes(parseSpki(spkiDer).subjectPublicKey))
    .digest();
}

import { createHash } from "node:crypto";
import * as asn1js from "asn1js";
import { AlgorithmIdentifier, PublicKeyInfo as SubjectPublicKeyInfo, RSAPublicKey } from "pkijs";
import {
  contentOf,
  derOf,
  malformed,
  membersOf,
  parseDer,
  reading,
  splitDer,
  unsigned,
  wholeBytes,
} from "../der.server";
import { memoizeByBytes } from "../memoize-by-bytes.server";
import { OID } from "../oids.server";
import { sha256Hex } from "../thumbprint.server";
import { type EcKeyInfo, readEcPoint } from "./ec-key.server";

/** A public key, for display and for the rules. `bits` is the length of the modulus or the field. */
export type PublicKeyInfo =
  | { algorithm: "RSA"; bits: number; modulus: bigint; exponent: bigint }
  | ({ algorithm: "EC" } & EcKeyInfo)
  | { algorithm: "other"; bits: 0; name: string };

export interface ReadPublicKey {
  publicKey: PublicKeyInfo;
  /** The canonical encoding. It is the same for a key that is encoded in another way (without parameters, with a compressed point). */
  spkiDer: Uint8Array;
}

/** Names, for messages, of key types that no configuration accepts (RFC 3279 §2.3, RFC 4055 §1.2, RFC 8410 §3). */
const OTHER_ALGORITHMS: Partial<Record<string, string>> = {
  [OID.rsassaPss]: "RSASSA-PSS",
  "1.2.840.10040.4.1": "DSA",
  "1.2.840.10046.2.1": "DH",
  "1.3.101.110": "X25519",
  "1.3.101.111": "X448",
  "1.3.101.112": "Ed25519",
  "1.3.101.113": "Ed448",
};

const BIT_STRING = 0x03;

/** Longer keys are not cached. One of 8192 bits has 1,062 bytes. */
const MAX_CACHED = 2_048;

const readKnown = memoizeByBytes(2_000, read);

/**
 * Reads a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) without OpenSSL. OpenSSL receives bytes from outside only in their canonical form and
 * after they were checked. Results are cached, because the key of an order is read in its CSR and again in its certificate, and must not be
 * changed. Throws a CaError `malformed` when it is not DER.
 */
export const readPublicKey = (spki: Uint8Array): ReadPublicKey =>
  spki.length > MAX_CACHED ? read(spki) : readKnown(spki);

function read(spki: Uint8Array): ReadPublicKey {
  const { algorithm, subjectPublicKey } = parseSpki(spki);
  const oid = algorithm.algorithmId;
  if (oid === OID.rsaEncryption) return readRsaKey(wholeBytes(subjectPublicKey));
  if (oid === OID.ecPublicKey) return readEcKey(spki, algorithm, wholeBytes(subjectPublicKey));
  return { publicKey: { algorithm: "other", bits: 0, name: OTHER_ALGORITHMS[oid] ?? oid }, spkiDer: spki };
}

/**
 * Returns the identity of a key, by which two keys with the same secret are equal, as lower-case hex SHA-256. For RSA it is the hash of the
 * modulus, because whoever can factor it has the private key for every exponent. For other keys it is the hash of the SubjectPublicKeyInfo.
 */
export const keyIdentityOf = ({ publicKey, spkiDer }: ReadPublicKey): string =>
  sha256Hex(publicKey.algorithm === "RSA" ? Buffer.from(publicKey.modulus.toString(16)) : spkiDer);

/** Parses a SubjectPublicKeyInfo. Throws a CaError `malformed`. */
export const parseSpki = (spki: Uint8Array): SubjectPublicKeyInfo =>
  reading(() => new SubjectPublicKeyInfo({ schema: parseDer(spki) }));

/** Reads an RSAPublicKey (RFC 8017 appendix A.1.1). The canonical encoding has the NULL that RFC 3279 §2.3.1 requires. */
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

/**
 * Reads an ECPoint on a named curve (RFC 5480 §2). The canonical encoding has the uncompressed point. A key that is never accepted keeps
 * its encoding.
 */
function readEcKey(spki: Uint8Array, algorithm: AlgorithmIdentifier, point: Uint8Array): ReadPublicKey {
  const { uncompressed, ...info } = readEcPoint(algorithm, point);
  const canonical = new SubjectPublicKeyInfo({
    algorithm,
    subjectPublicKey: new asn1js.BitString({ valueHex: uncompressed ?? point }),
  });
  return { publicKey: { algorithm: "EC", ...info }, spkiDer: uncompressed ? derOf(canonical.toSchema()) : spki };
}

/**
 * Returns the key identifier: the SHA-1 of the subjectPublicKey bits (RFC 5280 §4.2.1.2, method 1). It identifies the key and has no
 * security purpose.
 */
export function keyIdentifierOf(spkiDer: Uint8Array): Uint8Array {
  const [, bits] = splitDer(spkiDer);
  return createHash("sha1").update(contentOf(bits, BIT_STRING).subarray(1)).digest();
}

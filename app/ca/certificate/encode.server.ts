import { type Extension } from "pkijs";
import { elementOf, sequenceOf } from "../der-writing.server";
import { derOf } from "../der.server";
import { CaError } from "../errors.server";
import { type RandomSource } from "../keys.server";
import { type SignatureHash } from "../signer.server";
import { rsaSignatureAlgorithm } from "../x509/algorithms.server";
import { timeOf } from "../x509/time.server";

export interface TbsParts {
  /** Upper-case hex. */
  serial: string;
  hash: SignatureHash;
  issuerDer: Uint8Array;
  notBefore: Date;
  notAfter: Date;
  subjectDer: Uint8Array;
  spkiDer: Uint8Array;
  /** Must not be changed afterwards, because each extension is encoded only once. */
  extensions: readonly Extension[];
}

/** Version 3 with the explicit tag [0]. */
const V3 = Uint8Array.of(0xa0, 3, 2, 1, 2);

/** Identifier octet of the extensions, which have the explicit tag [3]. */
const EXTENSIONS = 0xa3;

const INTEGER = 0x02;
const BIT_STRING = 0x03;

/** DER of the AlgorithmIdentifier of each signature algorithm of this CA. */
export const SIGNATURE_ALGORITHM_DER: Readonly<Record<SignatureHash, Uint8Array>> = {
  sha256: derOf(rsaSignatureAlgorithm("sha256").toSchema()),
  sha512: derOf(rsaSignatureAlgorithm("sha512").toSchema()),
};

const encoded = new WeakMap<Extension, Uint8Array>();

function encodeExtension(extension: Extension): Uint8Array {
  const der = encoded.get(extension) ?? derOf(extension.toSchema());
  encoded.set(extension, der);
  return der;
}

/** Returns the INTEGER of a positive number without leading zero bytes. A zero byte precedes a top bit that is set (X.690 §8.3). */
const positiveInteger = (bytes: Uint8Array): Uint8Array =>
  (bytes[0] ?? 0) < 0x80 ? elementOf(INTEGER, bytes) : elementOf(INTEGER, Uint8Array.of(0), bytes);

/**
 * Returns the DER of a v3 TBSCertificate (RFC 5280 §4.1.2). Most members are already encoded. They are joined here, because pkijs would
 * parse them again.
 */
export function encodeTbsCertificate(parts: TbsParts): Uint8Array {
  const { serial, hash, issuerDer, notBefore, notAfter, subjectDer, spkiDer, extensions } = parts;
  return sequenceOf(
    V3,
    positiveInteger(Buffer.from(serial, "hex")),
    SIGNATURE_ALGORITHM_DER[hash],
    issuerDer,
    sequenceOf(derOf(timeOf(notBefore).toSchema()), derOf(timeOf(notAfter).toSchema())),
    subjectDer,
    spkiDer,
    elementOf(EXTENSIONS, sequenceOf(...extensions.map(encodeExtension))),
  );
}

/**
 * Returns the DER of the signed Certificate (RFC 5280 §4.1.1). `hash` is that of the TBS certificate, `signature` the RSASSA-PKCS1-v1_5
 * octets.
 */
export const assembleCertificate = (tbs: Uint8Array, signature: Uint8Array, hash: SignatureHash): Uint8Array =>
  // A BIT STRING begins with the number of its unused bits.
  sequenceOf(tbs, SIGNATURE_ALGORITHM_DER[hash], elementOf(BIT_STRING, Uint8Array.of(0), signature));

/**
 * Returns a new serial number: 16 random bytes with the top bit 0, never zero (RFC 5280 §4.1.2.2). 127 random bits make a repetition
 * practically impossible. The result is upper-case hex without leading zero bytes, as OpenSSL writes it.
 */
export function newSerial(random: RandomSource): string {
  const bytes = Buffer.from(random(16));
  if (bytes.length !== 16 || bytes.every((byte) => byte === 0)) {
    throw new CaError("invalid-argument", "The random source gave no random bytes.");
  }
  return serialHex(BigInt(`0x${bytes.toString("hex")}`) & ((1n << 127n) - 1n));
}

/** Returns a serial number as upper-case hex of whole bytes without a leading zero byte. */
export function serialHex(serial: bigint): string {
  const hex = serial.toString(16).toUpperCase();
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

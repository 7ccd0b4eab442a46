import * as asn1js from "asn1js";
import { Certificate, type Extension } from "pkijs";
import { derOf } from "../der.server";
import { CaError } from "../errors.server";
import { type RandomSource } from "../keys.server";
import { type SignatureHash } from "../signer.server";
import { rsaSignatureAlgorithm } from "../x509/algorithms.server";
import { nameOf } from "../x509/name.server";
import { parseSpki } from "../x509/public-key.server";
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
  extensions: Extension[];
}

const V3 = 2;

/** DER of a v3 TBSCertificate (RFC 5280 §4.1.2). */
export function encodeTbsCertificate(parts: TbsParts): Uint8Array {
  const certificate = new Certificate({
    version: V3,
    serialNumber: asn1js.Integer.fromBigInt(BigInt(`0x${parts.serial}`)),
    signature: rsaSignatureAlgorithm(parts.hash),
    issuer: nameOf(parts.issuerDer),
    notBefore: timeOf(parts.notBefore),
    notAfter: timeOf(parts.notAfter),
    subject: nameOf(parts.subjectDer),
    subjectPublicKeyInfo: parseSpki(parts.spkiDer),
    extensions: parts.extensions,
  });
  return derOf(certificate.encodeTBS());
}

/** DER of the signed Certificate (RFC 5280 §4.1.1); `hash` as it stands in the TBS, `signature` RSASSA-PKCS1-v1_5 octets. */
export function assembleCertificate(tbs: Uint8Array, signature: Uint8Array, hash: SignatureHash): Uint8Array {
  const certificate = new Certificate({
    tbs: Uint8Array.from(tbs).buffer,
    signatureAlgorithm: rsaSignatureAlgorithm(hash),
    signatureValue: new asn1js.BitString({ valueHex: signature }),
  });
  return derOf(certificate.toSchema());
}

/**
 * A serial number: 16 random bytes with the top bit 0, never zero (RFC 5280 §4.1.2.2; 127 bits leave chance no room).
 * Upper-case hex without leading zero bytes, as OpenSSL writes it.
 */
export function newSerial(random: RandomSource): string {
  const bytes = Buffer.from(random(16));
  if (bytes.length !== 16 || bytes.every((byte) => byte === 0)) {
    throw new CaError("invalid-argument", "The random source gave no random bytes.");
  }
  return serialHex(BigInt(`0x${bytes.toString("hex")}`) & ((1n << 127n) - 1n));
}

/** Upper-case hex of whole bytes, no leading zero byte. */
export function serialHex(serial: bigint): string {
  const hex = serial.toString(16).toUpperCase();
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

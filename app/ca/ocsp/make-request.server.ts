import { createHash } from "node:crypto";
import * as asn1js from "asn1js";
import { type Issuer } from "../certificate/issuer.server";
import { elementOf, objectIdentifier, sequenceOf } from "../der-writing.server";
import { derOf, wholeBytes } from "../der.server";
import { spkiDerOf } from "../keys.server";
import { OID } from "../oids.server";
import { parseSpki } from "../x509/public-key.server";

const OCTET_STRING = 4;
const NULL = 5;

/**
 * Returns the DER of an OCSPRequest without a nonce about one certificate of a CA (RFC 6960 §4.1.1), with the hash algorithm of RFC 5019.
 *
 * @param serial The serial number in hex.
 */
export function makeOcspRequest({ subjectDer, publicKey }: Pick<Issuer, "subjectDer" | "publicKey">, serial: string) {
  const hashed = (bytes: Uint8Array) => elementOf(OCTET_STRING, createHash("sha1").update(bytes).digest());
  const key = wholeBytes(parseSpki(spkiDerOf(publicKey)).subjectPublicKey);
  const certId = sequenceOf(
    sequenceOf(objectIdentifier(OID.sha1), elementOf(NULL)),
    hashed(subjectDer),
    hashed(key),
    derOf(asn1js.Integer.fromBigInt(BigInt(`0x${serial}`))),
  );
  const request = sequenceOf(certId);
  return sequenceOf(sequenceOf(sequenceOf(request)));
}

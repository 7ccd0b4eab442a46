import { createPublicKey, type KeyObject } from "node:crypto";
import { derOf } from "../der.server";
import { CaError } from "../errors.server";
import { remembered } from "../remembered.server";
import { keyIdentifierOf } from "../x509/public-key.server";
import { describeCertificate } from "./describe.server";
import { nameDer, parseCertificate } from "./parse.server";

/** A CA certificate as issuing needs it. */
export interface Issuer {
  certificateDer: Uint8Array;
  /** DER of the subject, byte for byte the issuer of what it signs (RFC 5280 §4.1.2.4). */
  subjectDer: Uint8Array;
  /** Its subjectKeyIdentifier, which authorityKeyIdentifier repeats. */
  keyIdentifier: Uint8Array;
  notAfter: Date;
  publicKey: KeyObject;
}

/** Reads a CA certificate, each once. Throws CaError `malformed` when the bytes are no certificate of a CA. */
export const readIssuer: (certificateDer: Uint8Array) => Issuer = remembered(32, read);

function read(certificateDer: Uint8Array): Issuer {
  const certificate = parseCertificate(certificateDer);
  const { isCa, subjectKeyIdentifier } = describeCertificate(certificateDer, certificate);
  if (!isCa) throw new CaError("malformed", "The certificate is not that of a certificate authority.");
  const { subject, subjectPublicKeyInfo, notAfter } = certificate;
  const spkiDer = derOf(subjectPublicKeyInfo.toSchema());
  return {
    certificateDer,
    subjectDer: nameDer(subject),
    keyIdentifier: subjectKeyIdentifier ? Buffer.from(subjectKeyIdentifier, "hex") : keyIdentifierOf(spkiDer),
    notAfter: notAfter.value,
    publicKey: createPublicKey({ key: Buffer.from(spkiDer), format: "der", type: "spki" }),
  };
}

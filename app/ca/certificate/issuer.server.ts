import { createPublicKey, type KeyObject } from "node:crypto";
import { CaError } from "../errors.server";
import { keyIdentifierOf } from "../x509/public-key.server";
import { describeCertificate } from "./describe.server";
import { parseCertificate } from "./parse.server";

/** A CA certificate as issuing needs it. Read it once and keep it. */
export interface Issuer {
  certificateDer: Uint8Array;
  /** DER of the subject, byte for byte the issuer of what it signs (RFC 5280 §4.1.2.4). */
  subjectDer: Uint8Array;
  /** Its subjectKeyIdentifier, which authorityKeyIdentifier repeats. */
  keyIdentifier: Uint8Array;
  notAfter: Date;
  publicKey: KeyObject;
}

/** Reads a CA certificate. Throws CaError `malformed` when the bytes are no certificate of a CA. */
export function readIssuer(certificateDer: Uint8Array): Issuer {
  const { isCa, subjectKeyIdentifier } = describeCertificate(certificateDer);
  if (!isCa) throw new CaError("malformed", "The certificate is not that of a certificate authority.");
  const { subject, spki, notAfter } = parseCertificate(certificateDer);
  return {
    certificateDer,
    subjectDer: subject.der,
    keyIdentifier: subjectKeyIdentifier ? Buffer.from(subjectKeyIdentifier, "hex") : keyIdentifierOf(spki.der),
    notAfter,
    publicKey: createPublicKey({ key: Buffer.from(spki.der), format: "der", type: "spki" }),
  };
}

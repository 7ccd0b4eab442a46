import { createPublicKey, type KeyObject } from "node:crypto";
import { CaError } from "../errors.server";
import { memoizeByBytes } from "../memoize-by-bytes.server";
import { keyIdentifierOf } from "../x509/public-key.server";
import { describeCertificate } from "./describe.server";
import { parseCertificate } from "./parse.server";

/** The parts of a CA certificate that issuing needs. */
export interface Issuer {
  certificateDer: Uint8Array;
  /** DER of the subject. Certificates that the CA signs contain exactly these bytes as issuer (RFC 5280 §4.1.2.4). */
  subjectDer: Uint8Array;
  /** The subjectKeyIdentifier of the CA, which is the authorityKeyIdentifier of the certificates it signs. */
  keyIdentifier: Uint8Array;
  notBefore: Date;
  notAfter: Date;
  publicKey: KeyObject;
}

/** Reads a CA certificate. Results are cached. Throws a CaError `malformed` when the bytes are not a CA certificate. */
export const readIssuer: (certificateDer: Uint8Array) => Issuer = memoizeByBytes(32, read);

function read(certificateDer: Uint8Array): Issuer {
  const certificate = parseCertificate(certificateDer);
  const { isCa, subjectKeyIdentifier } = describeCertificate(certificateDer, certificate);
  if (!isCa) throw new CaError("malformed", "The certificate is not that of a certificate authority.");
  const { subject, key, notBefore, notAfter } = certificate;
  return {
    certificateDer,
    subjectDer: subject.der,
    keyIdentifier: subjectKeyIdentifier ? Buffer.from(subjectKeyIdentifier, "hex") : keyIdentifierOf(key.spkiDer),
    notBefore,
    notAfter,
    publicKey: createPublicKey({ key: Buffer.from(key.spkiDer), format: "der", type: "spki" }),
  };
}

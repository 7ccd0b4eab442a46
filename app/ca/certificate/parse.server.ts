import { Certificate } from "pkijs";
import { malformed, membersOf, parseDer, derOf } from "../der.server";
import { CaError } from "../errors.server";
import { keyIdentityOf, readPublicKey } from "../x509/public-key.server";

/**
 * Parses an X.509 certificate with extensions (RFC 5280 §4.1). This takes one or two milliseconds, so pass the result on. Throws a CaError
 * `malformed`, also when the two signature algorithms differ (§4.1.1.2).
 */
export const parseCertificate = (der: Uint8Array): Certificate => readingCertificate(() => parse(der));

function parse(der: Uint8Array): Certificate {
  const schema = parseDer(der);
  const certificate = new Certificate({ schema });
  if (membersOf(schema).length !== 3 || certificate.version === 0) throw malformed("not a certificate of version 3");
  if (!certificate.signature.isEqual(certificate.signatureAlgorithm)) throw malformed("two signature algorithms");
  return certificate;
}

/** Returns the result of `read` and turns every error into a CaError `malformed`. */
export function readingCertificate<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new CaError("malformed", "The bytes are not a DER certificate.");
  }
}

/** Returns the DER of the issuer or the subject exactly as in the certificate. */
export const nameDer = (name: Certificate["subject"]): Uint8Array => Buffer.from(name.valueBeforeDecode);

/** Returns the key identity (`Csr.keyIdentity`) of a DER certificate. Throws a CaError `malformed`. */
export const certificateKeyIdentity = (der: Uint8Array): string =>
  keyIdentityOf(readPublicKey(derOf(parseCertificate(der).subjectPublicKeyInfo.toSchema())));

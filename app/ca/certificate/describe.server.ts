import { sha256Hex, thumbprint } from "../thumbprint.server";
import { readSignatureAlgorithm } from "../x509/algorithms.server";
import { formatName, type SubjectFields, toSubjectFields } from "../x509/name.server";
import { serialHex } from "./encode.server";
import { type ExtensionValues, readExtensionValues } from "./extension-values.server";
import { parseCertificate, type ParsedCertificate, readingCertificate } from "./parse.server";

/** The contents of a certificate, for display and for comparison (CER-06). */
export interface CertificateDescription extends ExtensionValues {
  /** Upper-case hex. */
  serialNumber: string;
  /** ISO 8601, UTC. */
  startDate: string;
  endDate: string;
  formatVersion: number;
  /** SHA-1 and SHA-256 of the DER, upper-case hex. */
  thumbprint: string;
  thumbprintSha256: string;
  keyAlgorithm: "RSA" | "EC" | "other";
  /** Bits of the RSA modulus or the EC field. */
  keySize: number;
  /** For example `sha256WithRSAEncryption`. */
  signatureAlgorithm: string;
  /** As in RFC 4514. */
  issuerName: string;
  subjectName: string;
  subject: SubjectFields;
  /** Lower-case hex, equal to that of the CSR. */
  spkiSha256: string;
}

/**
 * Reads a DER certificate (RFC 5280 §4.1). `certificate` is the parsed certificate, for callers that have it already. Throws a CaError
 * `malformed` for anything else.
 */
export function describeCertificate(der: Uint8Array, certificate = parseCertificate(der)): CertificateDescription {
  return readingCertificate(() => describe(certificate, der));
}

/** Version 3, the only one that `parseCertificate` accepts. */
const FORMAT_VERSION = 3;

function describe(certificate: ParsedCertificate, der: Uint8Array): CertificateDescription {
  const { publicKey, spkiDer } = certificate.key;
  const subject = certificate.subject.attributes;
  return {
    serialNumber: serialHex(certificate.serialNumber),
    startDate: certificate.notBefore.toISOString(),
    endDate: certificate.notAfter.toISOString(),
    formatVersion: FORMAT_VERSION,
    thumbprint: thumbprint(der, "sha1"),
    thumbprintSha256: thumbprint(der, "sha256"),
    keyAlgorithm: publicKey.algorithm,
    keySize: publicKey.bits,
    signatureAlgorithm: readSignatureAlgorithm(certificate.signatureAlgorithm).name,
    issuerName: formatName(certificate.issuer.attributes),
    subjectName: formatName(subject),
    subject: toSubjectFields(subject),
    spkiSha256: sha256Hex(spkiDer),
    ...readExtensionValues(certificate.extensions),
  };
}

import { type CertificateDescription } from "~/ca/certificate/describe.server";
import { type PreparedCertificate } from "~/ca/certificate/prepare.server";
import { readTbsCertificate } from "~/ca/certificate/tbs.server";
import { OID } from "~/ca/oids.server";
import { type SignatureHash } from "~/ca/signer.server";
import { formatDate } from "~/lib/dates";
import { colonHex } from "~/lib/hex";
import { captionedNames } from "../request/subject-names.server";

/** A field of a certificate as people read it. */
export interface CertificateField {
  name: string;
  /** Whether an extension is critical (RFC 5280 §4.2). Null for a field that is no extension. */
  isCritical: boolean | null;
  values: string[];
}

/** The end of a certificate that is ordered for some years and issued now. */
export interface ValidityChoice {
  years: number;
  notAfter: string;
}

const keyId = (identifier: string | null): string[] => (identifier === null ? [] : [colonHex(identifier)]);

/** How each extension that this CA writes is read. */
const EXTENSIONS: Readonly<Record<string, [name: string, read: (of: CertificateDescription) => string[]]>> = {
  [OID.basicConstraints]: ["Basic constraints", ({ isCa }) => [isCa ? "CA" : "End entity, no CA"]],
  [OID.keyUsage]: ["Key usage", ({ keyUsage }) => keyUsage],
  [OID.extKeyUsage]: ["Extended key usage", ({ enhancedKeyUsage }) => enhancedKeyUsage],
  [OID.subjectAltName]: [
    "Subject alternative names",
    ({ subjectAlternateName: names }) =>
      captionedNames(names).map(({ caption, values }) => `${caption}: ${values.join(", ")}`),
  ],
  [OID.subjectKeyIdentifier]: ["Subject key identifier", ({ subjectKeyIdentifier: id }) => keyId(id)],
  [OID.authorityKeyIdentifier]: ["Authority key identifier", ({ authorityKeyIdentifier: id }) => keyId(id)],
  [OID.certificatePolicies]: [
    "Certificate policies",
    ({ policies }) => policies.flatMap(({ oid, cpsUri }) => (cpsUri === undefined ? [oid] : [oid, cpsUri])),
  ],
  [OID.cRLDistributionPoints]: ["CRL", ({ crlUrls }) => crlUrls],
  [OID.freshestCRL]: ["Delta CRL", ({ freshestCrlUrls }) => freshestCrlUrls],
  [OID.authorityInfoAccess]: [
    "Authority information access",
    ({ ocspUrls, caIssuersUrls }) => [
      ...ocspUrls.map((url) => `OCSP: ${url}`),
      ...caIssuersUrls.map((url) => `Certificate of the issuer: ${url}`),
    ],
  ],
};

const years = (count: number): string => `${count} ${count === 1 ? "year" : "years"}`;

const field = (name: string, ...values: string[]): CertificateField => ({ name, isCritical: null, values });

/**
 * Returns every field of a prepared certificate in the order of RFC 5280 §4.1, read from the bytes that would be signed. What is decided when
 * a certificate is issued is said in words.
 *
 * @param hash The hash of the CA that would sign.
 * @param choices The ends of a certificate by the years for which it can be ordered.
 */
export function listCertificateFields(
  { tbs }: Pick<PreparedCertificate, "tbs">,
  hash: SignatureHash,
  choices: readonly ValidityChoice[],
): CertificateField[] {
  const { parsed, description } = readTbsCertificate(tbs, hash);
  return [
    field("Version", String(description.formatVersion)),
    field("Serial number", "Chosen at random when the certificate is issued"),
    field("Signature algorithm", description.signatureAlgorithm),
    field("Issuer", description.issuerName),
    field("Valid from", "A few minutes before the certificate is issued"),
    field(
      "Valid until",
      ...choices.map(
        ({ years: count, notAfter }) => `${formatDate(notAfter)} if ordered for ${years(count)} and issued now`,
      ),
    ),
    field("Subject", description.subjectName),
    field(
      "Public key",
      `${description.keyAlgorithm}, ${description.keySize} bits`,
      `SHA-256 ${colonHex(description.spkiSha256)}`,
    ),
    ...parsed.extensions.map(({ oid, critical, value }): CertificateField => {
      const [name, read] = EXTENSIONS[oid] ?? [oid, () => [Buffer.from(value).toString("hex")]];
      return { name, isCritical: critical, values: read(description) };
    }),
  ];
}

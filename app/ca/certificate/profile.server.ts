import { type AlternateName } from "../x509/general-names.server";
import { isHostName } from "../x509/host-name.server";
import { type SubjectFields } from "../x509/name.server";
import { type CertificateDescription } from "./describe.server";
import { type KeyUsages } from "./usage.server";

export interface CertificatePolicy {
  /** Dotted decimal notation. */
  oid: string;
  cpsUri?: string;
}

/** Plain http addresses in a certificate. A missing address omits its extension. */
export interface CertificateUrls {
  crl?: string;
  freshestCrl?: string;
  ocsp?: string;
  caIssuers?: string;
}

/**
 * Everything that an end entity certificate must contain, as plain JSON. It is stored beside the TBS certificate and compared with the
 * issued certificate.
 */
export interface CertificateProfile extends KeyUsages {
  serial: string;
  signatureAlgorithm: string;
  notBefore: string;
  notAfter: string;
  subject: SubjectFields;
  alternateNames: AlternateName[];
  spkiSha256: string;
  issuerKeyIdentifier: string;
  policy: CertificatePolicy;
  urls: CertificateUrls;
}

const COPIED = ["dns", "ip", "rfc822", "uri"];

/**
 * Returns the alternative names of the certificate (CAL-02): the DNS, IP, rfc822 and URI names of the CSR, the SSID, when known, as an
 * `oftp://` URI, and the common name as a DNS name when it is a host name. Each name appears once. DNS names are compared without regard to
 * case.
 */
export function certifiedNames(
  requested: readonly AlternateName[],
  ssid: string | null,
  commonName?: string,
): AlternateName[] {
  const names: AlternateName[] = requested
    .filter(({ type }) => COPIED.includes(type))
    .map(({ type, value }) => ({ type, value }));
  if (ssid) names.push({ type: "ssid", value: ssid });
  if (commonName && isHostName(commonName)) names.push({ type: "dns", value: commonName });
  const unique = new Map<string, AlternateName>();
  for (const name of names) {
    const key = `${name.type}:${name.type === "dns" ? name.value.toLowerCase() : name.value}`;
    if (!unique.has(key)) unique.set(key, name);
  }
  return [...unique.values()];
}

/** Returns the subject without blank values. The SSID, when known, becomes its serialNumber (PUR-04). */
export function certifiedSubject(requested: SubjectFields, ssid: string | null): SubjectFields {
  const filled = { ...requested, deviceSerialNumber: ssid ?? requested.deviceSerialNumber };
  const entries = Object.entries(filled).map(([field, value]) => [field, value?.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value));
}

/** Returns the profile that a certificate actually has. */
export function profileOf(description: CertificateDescription): CertificateProfile {
  const [policy] = description.policies;
  const [crl, freshestCrl] = [description.crlUrls[0], description.freshestCrlUrls[0]];
  const [ocsp, caIssuers] = [description.ocspUrls[0], description.caIssuersUrls[0]];
  return {
    serial: description.serialNumber,
    signatureAlgorithm: description.signatureAlgorithm,
    notBefore: description.startDate,
    notAfter: description.endDate,
    subject: description.subject,
    alternateNames: description.subjectAlternateName,
    keyUsage: description.keyUsage as KeyUsages["keyUsage"],
    extendedKeyUsage: description.enhancedKeyUsage as KeyUsages["extendedKeyUsage"],
    spkiSha256: description.spkiSha256,
    issuerKeyIdentifier: description.authorityKeyIdentifier ?? "",
    policy: policy ?? { oid: "" },
    urls: definedUrls({ crl, freshestCrl, ocsp, caIssuers }),
  };
}

/** Returns the addresses without undefined ones, so that profiles compare equal after they have been stored as JSON. */
export const definedUrls = (urls: CertificateUrls): CertificateUrls =>
  Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== undefined));

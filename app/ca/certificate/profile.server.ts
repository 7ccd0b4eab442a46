import { type AlternateName } from "../x509/general-names.server";
import { isHostName } from "../x509/host-name.server";
import { type SubjectFields } from "../x509/name.server";
import { type CertificateDescription } from "./describe.server";
import { type KeyUsages } from "./usage.server";

export interface CertificatePolicy {
  /** Dotted decimals. */
  oid: string;
  cpsUri?: string;
}

/** Plain http addresses that a certificate names; one that is missing leaves its extension out. */
export interface CertificateUrls {
  crl?: string;
  freshestCrl?: string;
  ocsp?: string;
  caIssuers?: string;
}

/** All that an end entity certificate must say, as plain JSON: kept beside the TBS and compared with what was issued. */
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
 * The names of the certificate (CAL-02): the CSR's DNS, IP, rfc822 and URI names, the SSID as `oftp://` URI when known, the
 * common name as DNS name when it is a host; each once, DNS names compared without case.
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

/** The subject without blank values and with the SSID, when known, as its serialNumber (PUR-04). */
export function certifiedSubject(requested: SubjectFields, ssid: string | null): SubjectFields {
  const filled = { ...requested, deviceSerialNumber: ssid ?? requested.deviceSerialNumber };
  const entries = Object.entries(filled).map(([field, value]) => [field, value?.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value));
}

/** The profile that a certificate in fact has. */
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

/** The addresses without missing ones, so that profiles compare equal and survive JSON. */
export const definedUrls = (urls: CertificateUrls): CertificateUrls =>
  Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== undefined));

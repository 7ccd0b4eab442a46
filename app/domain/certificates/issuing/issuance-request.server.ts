import { type CertificateRequest } from "~/ca/certificate/prepare.server";
import { type Csr } from "~/ca/csr/read.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { type PlainRequest } from "~/ca/lint/prepared.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { getConfig } from "~/lib/config.server";
import { addYears } from "~/lib/dates";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { successorContent } from "../succession/successor-issuing.server";

/** What a certificate is to say, apart from what its issuing CA and the time decide. */
export type WantedCertificate = Omit<CertificateRequest, "issuer" | "hash" | "policy" | "urls" | "now" | "random">;

/** Returns what `authority` would put into a certificate now. */
export function requestFrom(wanted: WantedCertificate, authority: Authority, now: Date): PlainRequest {
  const { crl, deltaCrl, caIssuers, ocsp, cps } = authorityUrls(authority.name);
  return {
    issuerDer: authority.certificate,
    hash: HIERARCHIES[authority.hierarchy].hash,
    policy: { oid: getConfig().certificates.policyOid, cpsUri: cps },
    urls: { crl, caIssuers, ocsp, ...(deltaCrl !== null && { freshestCrl: deltaCrl }) },
    ...wanted,
    now,
  };
}

/**
 * Returns what the certificate that an order and its CSR ask for contains, for `authority` to sign. `previous` is the certificate that the
 * order renews or replaces, if any.
 */
export function requestForOrder(
  row: CertificateRow,
  csr: Csr,
  previous: CertificateRow | null,
  authority: Authority,
  now: Date,
): PlainRequest {
  const { hasSecureSession, hasEmail, hasEncryption, hasFileSigning } = row;
  const wanted = {
    ssid: row.ssid,
    spkiDer: csr.spkiDer,
    usage: { hasSecureSession, hasEmail, hasEncryption, hasFileSigning },
    ...(previous ? successorContent(row, previous, now) : newContent(csr, row.validityYears, now)),
  };
  return requestFrom(wanted, authority, now);
}

/** Returns what a new certificate takes from its CSR, and its end. */
export const newContent = (csr: Pick<Csr, "subject" | "subjectAlternateName">, years: number, now: Date) => ({
  subject: csr.subject,
  requestedNames: csr.subjectAlternateName,
  notAfter: addYears(now, years),
});

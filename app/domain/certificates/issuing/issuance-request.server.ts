import { randomBytes } from "node:crypto";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { type CertificateRequest, prepareCertificate, type PreparedCertificate } from "~/ca/certificate/prepare.server";
import { type Csr } from "~/ca/csr/read.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { getConfig } from "~/lib/config.server";
import { addYears } from "~/lib/dates";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { successorContent } from "../succession/successor-issuing.server";

/** What a certificate is to say, apart from what its issuing CA and the time decide. */
export type WantedCertificate = Omit<CertificateRequest, "issuer" | "hash" | "policy" | "urls" | "now" | "random">;

/** Returns a certificate that is ready for `authority` to sign. Signs and stores nothing. Throws what `prepareCertificate` throws. */
export function prepareFrom(wanted: WantedCertificate, authority: Authority, now: Date): PreparedCertificate {
  const { crl, deltaCrl, caIssuers, ocsp, cps } = authorityUrls(authority.name);
  return prepareCertificate({
    issuer: readIssuer(authority.certificate),
    hash: HIERARCHIES[authority.hierarchy].hash,
    policy: { oid: getConfig().certificates.policyOid, cpsUri: cps },
    urls: { crl, caIssuers, ocsp, ...(deltaCrl !== null && { freshestCrl: deltaCrl }) },
    ...wanted,
    now,
    random: randomBytes,
  });
}

/**
 * Returns the certificate that an order and its CSR ask for, ready for `authority` to sign. Signs and stores nothing. `previous` is the
 * certificate that the order renews or replaces, if any.
 */
export function prepareForOrder(
  row: CertificateRow,
  csr: Csr,
  previous: CertificateRow | null,
  authority: Authority,
  now: Date,
): PreparedCertificate {
  const { hasSecureSession, hasEmail, hasEncryption, hasFileSigning } = row;
  const wanted = {
    ssid: row.ssid,
    spkiDer: csr.spkiDer,
    usage: { hasSecureSession, hasEmail, hasEncryption, hasFileSigning },
    ...(previous ? successorContent(row, previous, now) : newContent(csr, row.validityYears, now)),
  };
  return prepareFrom(wanted, authority, now);
}

/** Returns what a new certificate takes from its CSR, and its end. */
export const newContent = (csr: Csr, years: number, now: Date) => ({
  subject: csr.subject,
  requestedNames: csr.subjectAlternateName,
  notAfter: addYears(now, years),
});

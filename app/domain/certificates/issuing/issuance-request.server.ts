import { randomBytes } from "node:crypto";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { prepareCertificate, type PreparedCertificate } from "~/ca/certificate/prepare.server";
import { type Csr } from "~/ca/csr/read.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { getConfig } from "~/lib/config.server";
import { addYears } from "~/lib/dates";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { successorContent } from "../succession/successor-issuing.server";

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
  const { crl, deltaCrl, caIssuers, ocsp, cps } = authorityUrls(authority.name);
  return prepareCertificate({
    issuer: readIssuer(authority.certificate),
    hash: HIERARCHIES[authority.hierarchy].hash,
    ssid: row.ssid,
    spkiDer: csr.spkiDer,
    usage: {
      hasSecureSession: row.hasSecureSession,
      hasEmail: row.hasEmail,
      hasEncryption: row.hasEncryption,
      hasFileSigning: row.hasFileSigning,
    },
    policy: { oid: getConfig().certificates.policyOid, cpsUri: cps },
    urls: { crl, caIssuers, ocsp, ...(deltaCrl !== null && { freshestCrl: deltaCrl }) },
    ...(previous
      ? successorContent(row, previous, now)
      : {
          subject: csr.subject,
          requestedNames: csr.subjectAlternateName,
          notAfter: addYears(now, row.validityYears),
        }),
    now,
    random: randomBytes,
  });
}

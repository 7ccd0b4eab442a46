import { randomBytes } from "node:crypto";
import { readIssuer } from "~/ca/certificate/issuer.server";
import { prepareCertificate, type PreparedCertificate } from "~/ca/certificate/prepare.server";
import { readCsr } from "~/ca/csr/read.server";
import { HIERARCHIES } from "~/ca/hierarchies.server";
import { type Authority } from "~/domain/authorities/authorities.service.server";
import { authorityUrls } from "~/domain/authorities/urls.server";
import { getConfig } from "~/lib/config.server";
import { addYears } from "~/lib/dates";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { successorContent } from "../succession/successor-issuing.server";

/**
 * The certificate that this order asks for, ready to be signed by `authority`. Signs and stores nothing.
 * In: the order, and the certificate that it renews or replaces, if any.
 */
export function prepareForOrder(
  row: CertificateRow,
  previous: CertificateRow | null,
  authority: Authority,
  now: Date,
): PreparedCertificate {
  const read = readCsr(row.csr);
  if (!read.ok) throw new Error(`The CSR of certificate ${row.id} cannot be read: ${read.code}`);
  const { crl, deltaCrl, caIssuers, ocsp, cps } = authorityUrls(authority.name);
  return prepareCertificate({
    issuer: readIssuer(authority.certificate),
    hash: HIERARCHIES[authority.hierarchy].hash,
    ssid: row.ssid,
    spkiDer: read.csr.spkiDer,
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
          subject: read.csr.subject,
          requestedNames: read.csr.subjectAlternateName,
          notAfter: addYears(now, row.validityYears),
        }),
    now,
    random: randomBytes,
  });
}

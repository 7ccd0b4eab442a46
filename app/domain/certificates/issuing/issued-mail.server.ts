import { type AccountMail } from "~/domain/mail/queue.service.server";
import { certificateIssuedMail } from "~/domain/mail/templates/certificates.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type CertificateRow } from "~db/repositories/certificates.server";
import { type UserRow } from "~db/repositories/users.server";
import { mailedFilesOf } from "../catalogue/usual-files.server";
import { supersededBy } from "../succession/correction.policy";
import { isReissue, isReissueByStaff } from "../succession/reissue.policy";
import { renewedFacts } from "../succession/successor-issuing.server";

/** Returns what the message says about the certificate that a correction supersedes. */
const correctedFacts = ({ id, expiryDate }: CertificateRow, now: Date) => ({
  id,
  revokedBy: supersededBy(expiryDate ?? "", now).toISOString(),
});

/**
 * Returns the message that a certificate is issued now.
 *
 * @param previous The certificate that it renews, replaces or corrects.
 */
export function issuedMail(
  row: CertificateRow,
  previous: CertificateRow | null,
  owner: UserRow,
  now: Date,
): AccountMail {
  const { publicUrl } = getEnv();
  const mail = certificateIssuedMail({
    name: `${owner.firstName} ${owner.lastName}`,
    orderNumber: orderNumber(row.orderId),
    commonName: row.commonName,
    serialNumber: row.serialNumber ?? "",
    startDate: row.startDate ?? "",
    expiryDate: row.expiryDate ?? "",
    downloadUrl: publicUrl + paths.certificateDownload(row.id),
    files: mailedFilesOf(row.id, publicUrl),
    repositoryUrl: publicUrl + paths.publicRepository,
    renewed: previous && !isReissue(row) ? renewedFacts(previous, row) : null,
    replacesId: isReissueByStaff(row) ? row.previousCertificateId : null,
    corrected: previous && row.isCorrection ? correctedFacts(previous, now) : null,
  });
  return { account: owner, dedupeKey: `certificate-issued:${row.id}`, orderId: row.orderId, mail };
}

import { yearsText } from "~/domain/orders/price.policy";
import { formatDate } from "~/lib/dates";
import { type DbOrTrx } from "~db/connection.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { isReissue } from "../succession/reissue.policy";

/** Returns how long the certificate of an order will be valid, in words. */
export async function validityText(db: DbOrTrx, row: CertificateRow): Promise<string> {
  if (!isReissue(row)) return yearsText(row.validityYears);
  const previous = await findCertificate(db, row.previousCertificateId);
  return `Until ${formatDate(previous?.expiryDate)}, as certificate ${row.previousCertificateId}`;
}

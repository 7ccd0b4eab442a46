import { type CertificateStatus } from "~db/tables";
import { type Barrier, whyNotDownload } from "../certificates.policy";

/** Returns whether an order is a replacement by staff or a correction: an Initial order with a previous certificate (CER-04, MAN-03). */
export const isReissue = <Row extends { orderType: string; previousCertificateId: number | null }>(
  row: Row,
): row is Row & { previousCertificateId: number } => row.orderType === "Initial" && row.previousCertificateId !== null;

/** Returns whether staff ordered a replacement. Otherwise the owner ordered it to correct the certificate. */
export const isReissueByStaff = (row: {
  orderType: string;
  previousCertificateId: number | null;
  isCorrection: boolean;
}): boolean => isReissue(row) && !row.isCorrection;

/** The statuses in which a certificate can be replaced for the rest of its validity (docs/decisions/0011). */
export const REISSUABLE: readonly CertificateStatus[] = ["Issued", "Downloaded"];

/** Returns why a certificate cannot be reissued, or null. */
export function whyNotReissue(
  { status, expiryDate }: { status: CertificateStatus; expiryDate: string | null },
  now: Date,
): Barrier {
  if (status === "Renewed") return "The certificate has been renewed: reissue the one that renewed it.";
  if (!REISSUABLE.includes(status)) return whyNotDownload(status) ?? "The certificate cannot be reissued.";
  return expiryDate !== null && Date.parse(expiryDate) > now.getTime() ? null : "The certificate has expired.";
}

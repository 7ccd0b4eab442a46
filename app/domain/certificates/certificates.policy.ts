import { addDays, formatDate, MIN_DATE } from "~/lib/dates";
import { type CertificateStatus } from "~db/tables";

/** Why something is not possible, in words for people; null when it is. */
export type Barrier = string | null;

const VIEWED: readonly CertificateStatus[] = ["Issued", "Downloaded", "Revoked", "RequestRevoke", "Expired", "Renewed"];
const USABLE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Renewed"];
const NOT_INVOICED: readonly CertificateStatus[] = ["Pending", "Cancelled", "Rejected", "Unknown"];

/** The states in which a certificate can be revoked, for conditional updates. A scheduled revocation can come sooner. */
export const REVOCABLE: readonly CertificateStatus[] = [...USABLE, "RequestRevoke"];

const NO_CERTIFICATE: Partial<Record<CertificateStatus, string>> = {
  Pending: "The order is still pending: there is no certificate yet.",
  Cancelled: "The order was cancelled: there is no certificate.",
  Rejected: "The order was rejected: there is no certificate.",
};

const barred = (status: CertificateStatus, otherwise: string) => NO_CERTIFICATE[status] ?? otherwise;

/** CER-09, View. */
export const whyNotView = (status: CertificateStatus): Barrier =>
  VIEWED.includes(status) ? null : barred(status, "The state of this certificate is not known.");

/** Orders without a certificate whose details can be seen: what a pending one waits for, why another ended. */
const ORDERED: readonly CertificateStatus[] = ["Pending", "Rejected", "Cancelled"];

/** CER-09, Open: as View, and pending orders; also those that ended, since their page says why (docs/decisions/0011). */
export const whyNotOpen = (status: CertificateStatus): Barrier =>
  ORDERED.includes(status) ? null : whyNotView(status);

const ENDED: Partial<Record<CertificateStatus, string>> = {
  Revoked: "The certificate has been revoked.",
  RequestRevoke: "The certificate is about to be revoked.",
  Expired: "The certificate has expired.",
};

const whyNotUsable = (status: CertificateStatus): Barrier =>
  USABLE.includes(status) ? null : (ENDED[status] ?? barred(status, "The state of this certificate is not known."));

/** CER-09, Download. */
export const whyNotDownload = whyNotUsable;

/** CER-09, Revoke; a scheduled revocation can be brought forward (docs/decisions/0004), to which date `revocationDateProblem` says. */
export const whyNotRevoke = (status: CertificateStatus): Barrier =>
  REVOCABLE.includes(status) ? null : whyNotUsable(status);

/** CER-09, invoice download. */
export const whyNotInvoice = (status: CertificateStatus): Barrier =>
  NOT_INVOICED.includes(status) ? "There is no invoice for this order yet." : null;

export interface RenewalWindow {
  /** Days before the expiry from which a certificate can be renewed. */
  renewalsFromDays: number;
  /** Days after the expiry until which it can. */
  renewalsUntilDays: number;
}

export interface Renewable {
  status: CertificateStatus;
  /** ISO moment; null or the minimum date when there is none. */
  expiryDate: string | null;
  /** Whether a certificate that was renewed may be renewed again. */
  allowRenewal?: boolean;
}

/** CER-09, Renew. */
export function whyNotRenew(
  { status, expiryDate, allowRenewal = false }: Renewable,
  window: RenewalWindow,
  now: Date,
): Barrier {
  if (status === "Renewed") return allowRenewal ? null : "The certificate has been renewed already.";
  if (status !== "Issued" && status !== "Downloaded" && status !== "Expired") return whyNotUsable(status);
  if (!expiryDate || expiryDate.startsWith(MIN_DATE)) return "The certificate has no expiry date.";
  const expiry = new Date(expiryDate);
  if (status === "Expired") {
    const until = addDays(expiry, window.renewalsUntilDays);
    return now <= until ? null : `Renewal closed ${formatDate(until.toISOString())}`;
  }
  const from = addDays(expiry, -window.renewalsFromDays);
  return now >= from ? null : `Renewal opens ${formatDate(from.toISOString())}`;
}

/** CER-04, Order type display: with the previous certificate's id in brackets when there is one. */
export function orderTypeText(orderType: string, previousCertificateId: number | null): string {
  if (previousCertificateId === null) return orderType;
  return `${orderType === "Initial" ? "Reissue" : orderType} [${previousCertificateId}]`;
}

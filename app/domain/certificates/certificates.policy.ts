import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { mayFor, type Member, roleNeeded } from "~/domain/companies/roles.policy";
import { addDays, formatDate, MIN_DATE } from "~/lib/dates";
import { type CertificateStatus } from "~db/tables";

/** A sentence that says why something is not possible, or null when it is possible. */
export type Barrier = string | null;

const VIEWED: readonly CertificateStatus[] = ["Issued", "Downloaded", "Revoked", "RequestRevoke", "Expired", "Renewed"];
/** The statuses in which a certificate can be downloaded. */
export const USABLE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Renewed"];
const NOT_INVOICED: readonly CertificateStatus[] = ["Pending", "Cancelled", "Rejected", "Unknown"];

/** The statuses in which a certificate can be revoked, for conditional updates. A scheduled revocation can be brought forward. */
export const REVOCABLE: readonly CertificateStatus[] = [...USABLE, "RequestRevoke"];

const NO_CERTIFICATE: Partial<Record<CertificateStatus, string>> = {
  Pending: "The order is still pending: there is no certificate yet.",
  Cancelled: "The order was cancelled: there is no certificate.",
  Rejected: "The order was rejected: there is no certificate.",
};

const barred = (status: CertificateStatus, otherwise: string) => NO_CERTIFICATE[status] ?? otherwise;

/** Returns why a certificate cannot be viewed (CER-09), or null. */
export const whyNotView = (status: CertificateStatus): Barrier =>
  VIEWED.includes(status) ? null : barred(status, "The state of this certificate is not known.");

/**
 * The statuses of orders without a certificate whose details can be opened. The page shows what a pending order waits for, or why another
 * ended.
 */
const ORDERED: readonly CertificateStatus[] = ["Pending", "Rejected", "Cancelled"];

/**
 * Returns why the details page cannot be opened (CER-09), or null. It can be opened for every certificate that can be viewed and for orders
 * that are pending or ended, because the page says why they ended (docs/decisions/0011).
 */
export const whyNotOpen = (status: CertificateStatus): Barrier =>
  ORDERED.includes(status) ? null : whyNotView(status);

const ENDED: Partial<Record<CertificateStatus, string>> = {
  Revoked: "The certificate has been revoked.",
  RequestRevoke: "The certificate is about to be revoked.",
  Expired: "The certificate has expired.",
};

const whyNotUsable = (status: CertificateStatus): Barrier =>
  USABLE.includes(status) ? null : (ENDED[status] ?? barred(status, "The state of this certificate is not known."));

/** Returns why this user may not download the files of a certificate, or null. Staff who see it may download it. */
export const whyMayNotDownload = (user: RightsHolder & Member, certificate: { companyId: number }): Barrier =>
  mayFor(user, certificate, "download-certificates") || may(user, "see-customers")
    ? null
    : roleNeeded("download-certificates");

/** Returns why a certificate cannot be downloaded (CER-09), or null. */
export const whyNotDownload = whyNotUsable;

/**
 * Returns why a certificate cannot be revoked (CER-09), or null. A scheduled revocation can be brought forward (docs/decisions/0004);
 * `revocationDateProblem` checks the date.
 */
export const whyNotRevoke = (status: CertificateStatus): Barrier =>
  REVOCABLE.includes(status) ? null : whyNotUsable(status);

/** Returns why no invoice can be downloaded (CER-09), or null. */
export const whyNotInvoice = (status: CertificateStatus): Barrier =>
  NOT_INVOICED.includes(status) ? "There is no invoice for this order yet." : null;

export interface RenewalWindow {
  /** How many days before the expiry a certificate can be renewed. */
  renewalsFromDays: number;
  /** How many days after the expiry it can still be renewed. */
  renewalsUntilDays: number;
}

export interface Renewable {
  status: CertificateStatus;
  /** An ISO timestamp. Null or the minimum date when there is no expiry date. */
  expiryDate: string | null;
  /** Whether a Renewed certificate may be renewed again. */
  allowRenewal?: boolean;
  /** Whether the CA that issued it is revoked: its customers need another certificate at once. */
  isIssuerRevoked?: boolean;
}

/** Returns why a certificate cannot be renewed (CER-09), or null. */
export function whyNotRenew(
  { status, expiryDate, allowRenewal = false, isIssuerRevoked = false }: Renewable,
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
  if (isIssuerRevoked) return null;
  const from = addDays(expiry, -window.renewalsFromDays);
  return now >= from ? null : `Renewal opens ${formatDate(from.toISOString())}`;
}

const IN_USE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Renewed", "RequestRevoke"];

/** Returns whether partners refuse a certificate that has not been revoked itself, because its issuing CA is revoked. */
export const isRefusedWithIssuer = ({
  status,
  isIssuerRevoked = false,
}: Pick<Renewable, "status" | "isIssuerRevoked">) => isIssuerRevoked && IN_USE.includes(status);

/** Returns the order type as pages show it (CER-04), with the id of the previous certificate in brackets if there is one. */
export function orderTypeText(orderType: string, previousCertificateId: number | null): string {
  if (previousCertificateId === null) return orderType;
  return `${orderType === "Initial" ? "Reissue" : orderType} [${previousCertificateId}]`;
}

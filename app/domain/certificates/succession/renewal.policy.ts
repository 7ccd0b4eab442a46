import { mayAsMember, type Member, roleNeeded } from "~/domain/companies/roles.policy";
import { orderNumber } from "~/domain/orders/order-number";
import { addDays, addMonths, addYears } from "~/lib/dates";
import { type CertificateStatus } from "~db/tables";
import { type Barrier, type RenewalWindow, whyNotRenew } from "../certificates.policy";
import { findCorrectionOf, type Follower } from "./correction.policy";

/** The longest validity, counted in years from now, that a renewal can reach (REN-02). */
export const MAX_TOTAL_YEARS = 5;

/** A certificate that ends within this number of months cannot be renewed for 0 years (REN-02). */
const MIN_MONTHS_LEFT = 3;

/** What the years of a renewal mean. */
export const YEARS_RULE = `Added to the end of the certificate being renewed, or to today once that is past. 0 years: a new certificate until that end, free of charge, if that is more than ${MIN_MONTHS_LEFT} months away. At most ${MAX_TOTAL_YEARS} years from today in total.`;

/** The messages of REN-02. `min` is word for word. */
export const validityMessages = {
  min: "It is not possible to select 0 years when the certificate being renewed will expire within the next 3 months.",
  max: `The total validity would exceed ${MAX_TOTAL_YEARS} years, which is not allowed by the certificate authority. Please select fewer years.`,
} as const;

/** Returns when a renewal ends (REN-02). The years are added to the end of the renewed certificate, or to now when that end is past. */
export const renewalExpiry = (expiry: Date, years: number, now: Date): Date =>
  addYears(expiry > now ? expiry : now, years);

/**
 * The answer of verifyCertificateExpiryDate (REN-02): 'min' when 0 years are not possible, 'max' when the limit is exceeded, otherwise
 * 'other'.
 */
export type ValidityVerdict = "min" | "max" | "other";

/** Checks whether a certificate that ends at `expiry` can be renewed for this number of years. All calendar arithmetic is in UTC. */
export function validityVerdict(expiry: Date, years: number, now: Date): ValidityVerdict {
  if (years === 0 && expiry <= addMonths(now, MIN_MONTHS_LEFT)) return "min";
  return renewalExpiry(expiry, years, now) > addYears(now, MAX_TOTAL_YEARS) ? "max" : "other";
}

/** A certificate with its successors. */
export interface RenewalCandidate {
  id: number;
  companyId: number;
  status: CertificateStatus;
  /** An ISO timestamp. */
  expiryDate: string | null;
  /** Whether the CA that issued it is revoked. */
  isIssuerRevoked?: boolean;
  successors: readonly Follower[];
}

const NEVER_ISSUED: readonly CertificateStatus[] = ["Pending", "Cancelled", "Rejected"];

const renewalsOf = ({ successors }: RenewalCandidate) => successors.filter(({ orderType }) => orderType === "Renewal");

/**
 * Returns whether a Renewed certificate may be renewed again (`allowRenewal` of CER-09). It may when all its issued renewals have been
 * revoked and its end is not longer ago than a renewal allows. Otherwise its successor is the one to renew.
 */
export function allowsRenewal(candidate: RenewalCandidate, window: RenewalWindow, now: Date): boolean {
  const issued = renewalsOf(candidate).filter(({ status }) => !NEVER_ISSUED.includes(status));
  const isWithoutSuccessor = issued.length > 0 && issued.every(({ status }) => status === "Revoked");
  const { expiryDate } = candidate;
  return isWithoutSuccessor && expiryDate !== null && now <= addDays(new Date(expiryDate), window.renewalsUntilDays);
}

/**
 * Returns why this user cannot begin a renewal of this certificate now, or null. The user must be an applicant in the company that owns it,
 * with a role that prepares renewals, its status must allow a renewal, and no renewal may be pending.
 */
export function renewalBarrier(user: Member, candidate: RenewalCandidate, window: RenewalWindow, now: Date): Barrier {
  if (candidate.companyId !== user.companyId) return "Only its owner can renew a certificate.";
  if (!user.isApplicant) return "Only applicants can renew certificates.";
  if (!mayAsMember(user, "prepare-renewals")) return roleNeeded("prepare-renewals");
  const { status, expiryDate, isIssuerRevoked = false } = candidate;
  const correction = findCorrectionOf(candidate.id, candidate.successors);
  if (correction.pending)
    return `Order ${orderNumber(correction.pending.orderId)} corrects this certificate and is pending. Renew the certificate that comes of it, or cancel that order first.`;
  if (correction.issued) return `Certificate ${correction.issued.id} corrects this one: renew that one.`;
  const allowRenewal = allowsRenewal(candidate, window, now);
  const barrier = whyNotRenew({ status, expiryDate, allowRenewal, isIssuerRevoked }, window, now);
  const pending = renewalsOf(candidate).find((renewal) => renewal.status === "Pending");
  if (barrier || !pending) return barrier;
  return `Order ${orderNumber(pending.orderId)} for its renewal is pending. Cancel that order to begin another one.`;
}

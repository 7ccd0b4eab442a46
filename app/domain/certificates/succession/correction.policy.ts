import { CORRECTION_DAYS } from "~/domain/orders/corrections/corrections.policy";
import { orderNumber } from "~/domain/orders/order-number";
import { addDays, formatDate } from "~/lib/dates";
import { type CertificateOrderType, type CertificateStatus } from "~db/tables";
import { type Barrier, USABLE, whyNotDownload } from "../certificates.policy";
import { REISSUABLE } from "./reissue.policy";

/** How many corrections of a certificate are issued, counted together with those of its corrections. */
export const CORRECTIONS_PER_CERTIFICATE = 2;

/** How many days after the issue of a correction the certificate that it corrects is revoked at the latest. */
export const SUPERSEDED_AFTER_DAYS = 14;

/** A certificate that follows another one, or is ordered to do so. */
export interface Follower {
  id: number;
  orderId: number;
  previousCertificateId: number | null;
  orderType: CertificateOrderType;
  isCorrection: boolean;
  status: CertificateStatus;
}

/** A certificate with what decides whether it can be corrected. */
export interface CorrectableCertificate {
  id: number;
  status: CertificateStatus;
  /** ISO timestamps. */
  expiryDate: string | null;
  /** When the first certificate was issued that this one and those before it replace or correct. */
  firstIssuedAt: string | null;
  /** The certificates that follow this one or one of those before it. */
  followers: readonly Follower[];
}

const NEVER_ISSUED: readonly CertificateStatus[] = ["Pending", "Cancelled", "Rejected"];

/** Returns the correction of a certificate that is pending, or that has taken its place. */
export function findCorrectionOf<Row extends Follower>(id: number, followers: readonly Row[]) {
  const own = followers.filter((one) => one.previousCertificateId === id && one.isCorrection);
  return {
    pending: own.find(({ status }) => status === "Pending") ?? null,
    issued: own.find(({ status }) => [...USABLE, "Expired", "RequestRevoke"].includes(status)) ?? null,
  };
}

/** Returns until when a certificate can be corrected (null when it was not issued), and how many times more. */
export function leftFor({ firstIssuedAt, followers }: Pick<CorrectableCertificate, "firstIssuedAt" | "followers">) {
  const made = followers.filter((one) => one.isCorrection && !NEVER_ISSUED.includes(one.status)).length;
  return {
    until: firstIssuedAt === null ? null : addDays(new Date(firstIssuedAt), CORRECTION_DAYS),
    times: Math.max(0, CORRECTIONS_PER_CERTIFICATE - made),
  };
}

/** Returns why a certificate cannot be corrected now, in a sentence, or null when it can. */
export function whyNotCorrectCertificate(
  { id, status, expiryDate, firstIssuedAt, followers }: CorrectableCertificate,
  now: Date,
): Barrier {
  const { pending, issued } = findCorrectionOf(id, followers);
  if (pending)
    return `Order ${orderNumber(pending.orderId)} corrects this certificate already. Cancel that order to begin another correction.`;
  if (issued) return `Certificate ${issued.id} corrects this one already: correct that one.`;
  if (status === "Renewed") return "The certificate has been renewed: correct the one that renewed it.";
  if (!REISSUABLE.includes(status)) return whyNotDownload(status) ?? "The certificate cannot be corrected.";
  if (expiryDate === null || Date.parse(expiryDate) <= now.getTime()) return "The certificate has expired.";
  const renewal = followers.find(
    (one) => one.previousCertificateId === id && one.orderType === "Renewal" && one.status === "Pending",
  );
  if (renewal)
    return `Order ${orderNumber(renewal.orderId)} for its renewal is pending. Cancel that order to correct the certificate.`;
  const { until, times } = leftFor({ firstIssuedAt, followers });
  if (until === null || now > until)
    return `A certificate can be corrected for ${CORRECTION_DAYS} days from its issue${until === null ? "" : `: until ${formatDate(until.toISOString())}`}. Order a new certificate, or contact us.`;
  return times === 0
    ? `A certificate can be corrected ${CORRECTIONS_PER_CERTIFICATE} times, and this one has been. Order a new certificate, or contact us.`
    : null;
}

/** Returns when a certificate is revoked that a correction has superseded: so many days after the issue, but not after its own end. */
export function supersededBy(expiryDate: string, issuedAt: Date): Date {
  const date = Math.min(addDays(issuedAt, SUPERSEDED_AFTER_DAYS).getTime(), Date.parse(expiryDate));
  return new Date(Math.floor(date / 1000) * 1000);
}

import { formatDateTime } from "~/lib/dates";
import { messages } from "~/lib/messages";
import { KEY_COMPROMISED } from "./reasons";

const wholeSeconds = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);

export interface RevocationPlan {
  /** True when the chosen date is in the future. The certificate then waits as RequestRevoke. */
  isScheduled: boolean;
  /** When the revocation takes effect: the chosen future date, or now. */
  revocationDate: Date;
  /** The date from which the certificate must not be trusted, when it is earlier than the revocation (RFC 5280 §5.3.2). */
  invalidityDate: Date | null;
}

export interface Validity {
  startDate: string;
  expiryDate: string;
  /** When the certificate is already scheduled to be revoked, or null. */
  scheduledFor: string | null;
}

/** Returns a sentence about the revocation that is already scheduled (docs/decisions/0004). */
export const scheduledText = (scheduledFor: string): string =>
  `A revocation is already scheduled for ${formatDateTime(scheduledFor)} UTC and can only be brought forward.`;

/** Returns why a revocation cannot have this date, or null. CRLs and certificates have whole seconds. */
export function revocationDateProblem(
  date: Date,
  { startDate, expiryDate, scheduledFor }: Validity,
  now: Date,
): string | null {
  const isWithin = date >= wholeSeconds(new Date(startDate)) && date <= new Date(expiryDate);
  if (!isWithin) return messages.outOfRange;
  if (scheduledFor === null || planRevocation(date, now).revocationDate < new Date(scheduledFor)) return null;
  return scheduledText(scheduledFor);
}

interface StoredRevocation {
  status: string;
  revocationDate: string | null;
  invalidityDate: string | null;
}

/**
 * Returns whether a certificate is scheduled for the date of this plan, or was revoked for it. A date of now differs each time the form is
 * sent. It counts as the same when the certificate was revoked after the page was opened.
 */
export function matchesPlan(plan: RevocationPlan, stored: StoredRevocation, openedAt: string | undefined): boolean {
  const { revocationDate, invalidityDate } = stored;
  if (plan.isScheduled)
    return stored.status === "RequestRevoke" && revocationDate === plan.revocationDate.toISOString();
  if (stored.status !== "Revoked" || revocationDate === null) return false;
  if (plan.invalidityDate) return [revocationDate, invalidityDate].includes(plan.invalidityDate.toISOString());
  const opened = wholeSeconds(new Date(openedAt ?? NaN));
  return invalidityDate === null && opened <= new Date(revocationDate);
}

/** Returns why a revocation cannot have this reason, or null. A key that was reported as compromised stays compromised. */
export function revocationReasonProblem(
  reason: number,
  scheduled: { status: string; revocationReason: number | null },
): string | null {
  const wasCompromised = scheduled.status === "RequestRevoke" && scheduled.revocationReason === KEY_COMPROMISED;
  return wasCompromised && reason !== KEY_COMPROMISED
    ? "The key was reported as compromised: the reason stays Key Compromised."
    : null;
}

/**
 * Plans a revocation for the chosen date (REV-04). A later date schedules it. Now revokes at once. An earlier date revokes at once and
 * becomes the invalidity date.
 */
export function planRevocation(date: Date, now: Date): RevocationPlan {
  const [chosen, present] = [wholeSeconds(date), wholeSeconds(now)];
  if (chosen > present) return { isScheduled: true, revocationDate: chosen, invalidityDate: null };
  return { isScheduled: false, revocationDate: present, invalidityDate: chosen < present ? chosen : null };
}

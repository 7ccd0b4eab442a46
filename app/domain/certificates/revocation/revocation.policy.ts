import { formatDateTime } from "~/lib/dates";
import { messages } from "~/lib/messages";
import { KEY_COMPROMISED } from "./reasons";

const wholeSeconds = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);

export interface RevocationPlan {
  /** Asked for a later moment: the certificate waits as RequestRevoke. */
  isScheduled: boolean;
  /** When it takes effect: the later moment, or now. */
  revocationDate: Date;
  /** Since when the certificate is not to be trusted, when that is earlier (RFC 5280 §5.3.2). */
  invalidityDate: Date | null;
}

export interface Validity {
  startDate: string;
  expiryDate: string;
  /** When the certificate is to be revoked anyway; null when nobody asked for that. */
  scheduledFor: string | null;
}

/** What is scheduled already (docs/decisions/0004). */
export const scheduledText = (scheduledFor: string): string =>
  `A revocation is already scheduled for ${formatDateTime(scheduledFor)} UTC and can only be brought forward.`;

/** Why a revocation cannot have this date, or null. Lists and certificates carry whole seconds. */
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

interface StoredMoment {
  status: string;
  revocationDate: string | null;
  invalidityDate: string | null;
}

/**
 * Whether a certificate waits for this plan's moment, or was revoked for it. 'Now' is another moment whenever it is said: it was said on
 * this page if the certificate was revoked after the page had been opened.
 */
export function isForMoment(plan: RevocationPlan, stored: StoredMoment, openedAt: string | undefined): boolean {
  const { revocationDate, invalidityDate } = stored;
  if (plan.isScheduled)
    return stored.status === "RequestRevoke" && revocationDate === plan.revocationDate.toISOString();
  if (stored.status !== "Revoked" || revocationDate === null) return false;
  if (plan.invalidityDate) return [revocationDate, invalidityDate].includes(plan.invalidityDate.toISOString());
  const opened = wholeSeconds(new Date(openedAt ?? NaN));
  return invalidityDate === null && opened <= new Date(revocationDate);
}

/** Why a revocation cannot have this reason, or null: a key that was reported as compromised stays so. */
export function revocationReasonProblem(
  reason: number,
  scheduled: { status: string; revocationReason: number | null },
): string | null {
  const wasCompromised = scheduled.status === "RequestRevoke" && scheduled.revocationReason === KEY_COMPROMISED;
  return wasCompromised && reason !== KEY_COMPROMISED
    ? "The key was reported as compromised: the reason stays Key Compromised."
    : null;
}

/** What the chosen moment means (REV-04): later = scheduled, now = at once, earlier = at once with an invalidity date. */
export function planRevocation(date: Date, now: Date): RevocationPlan {
  const [chosen, present] = [wholeSeconds(date), wholeSeconds(now)];
  if (chosen > present) return { isScheduled: true, revocationDate: chosen, invalidityDate: null };
  return { isScheduled: false, revocationDate: present, invalidityDate: chosen < present ? chosen : null };
}

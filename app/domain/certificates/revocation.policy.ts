import { messages } from "~/lib/messages";

const wholeSeconds = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);

export interface RevocationPlan {
  /** Asked for a later moment: the certificate waits as RequestRevoke. */
  isScheduled: boolean;
  /** When it takes effect: the later moment, or now. */
  revocationDate: Date;
  /** Since when the certificate is not to be trusted, when that is earlier (RFC 5280 §5.3.2). */
  invalidityDate: Date | null;
}

/** Why a revocation cannot have this date, or null. Lists and certificates carry whole seconds. */
export function revocationDateProblem(date: Date, validity: { startDate: string; expiryDate: string }): string | null {
  const isWithin = date >= wholeSeconds(new Date(validity.startDate)) && date <= new Date(validity.expiryDate);
  return isWithin ? null : messages.outOfRange;
}

/** What the chosen moment means (decisions §3): later = scheduled, now = at once, earlier = at once with an invalidity date. */
export function planRevocation(date: Date, now: Date): RevocationPlan {
  const [chosen, present] = [wholeSeconds(date), wholeSeconds(now)];
  if (chosen > present) return { isScheduled: true, revocationDate: chosen, invalidityDate: null };
  return { isScheduled: false, revocationDate: present, invalidityDate: chosen < present ? chosen : null };
}

/** The revocation reasons of REV-01. The ids are those of RFC 5280 §5.3.1. */
export const REVOCATION_REASONS = [
  { id: 0, description: "Unspecified" },
  { id: 1, description: "Key Compromised" },
  { id: 3, description: "Affiliation Changed" },
  { id: 4, description: "Superseded" },
] as const;

export type RevocationReasonId = (typeof REVOCATION_REASONS)[number]["id"];

export const UNSPECIFIED = 0;
export const KEY_COMPROMISED = 1;
export const SUPERSEDED = 4;
export const DESCRIPTION_LIMIT = 230;

export const REVOKE_QUESTION = "Are you sure you wish to revoke this certificate? This process cannot be reversed.";

/** Returns the description of a reason, or an empty text when the reason is unknown. */
export const reasonText = (id: number | null): string =>
  REVOCATION_REASONS.find((reason) => reason.id === id)?.description ?? "";

export const isReason = (id: number): id is RevocationReasonId => REVOCATION_REASONS.some((reason) => reason.id === id);

/**
 * Returns the instant that the form names. `loadedAt` is the instant that date and time were preset to. When the user left them unchanged,
 * they mean now, however long the page was open, and not a time in the past.
 */
export function instantOf(
  form: { revocationDate: string; revocationTime: string; loadedAt?: string | undefined },
  now: Date,
): Date {
  const time = form.revocationTime.length === 5 ? `${form.revocationTime}:00` : form.revocationTime;
  const timestamp = `${form.revocationDate}T${time}`;
  return timestamp === form.loadedAt?.slice(0, 19) ? now : new Date(`${timestamp}Z`);
}

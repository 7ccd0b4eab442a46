/** B §3, revocation reasons: the ids are those of RFC 5280 §5.3.1. */
export const REVOCATION_REASONS = [
  { id: 0, description: "Unspecified" },
  { id: 1, description: "Key Compromised" },
  { id: 3, description: "Affiliation Changed" },
  { id: 4, description: "Superseded" },
] as const;

export type RevocationReasonId = (typeof REVOCATION_REASONS)[number]["id"];

export const UNSPECIFIED = 0;
export const KEY_COMPROMISED = 1;
export const DESCRIPTION_LIMIT = 230;

export const REVOKE_QUESTION = "Are you sure you wish to revoke this certificate? This process cannot be reversed.";

/** The description of a reason; blank for one that is not known. */
export const reasonText = (id: number | null): string =>
  REVOCATION_REASONS.find((reason) => reason.id === id)?.description ?? "";

export const isReason = (id: number): id is RevocationReasonId => REVOCATION_REASONS.some((reason) => reason.id === id);

/** The moment that the form names. */
export const momentOf = ({
  revocationDate,
  revocationTime,
}: {
  revocationDate: string;
  revocationTime: string;
}): Date => new Date(`${revocationDate}T${revocationTime.length === 5 ? `${revocationTime}:00` : revocationTime}Z`);

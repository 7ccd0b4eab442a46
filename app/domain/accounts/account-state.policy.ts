/** What an account is for its sign-in, as administrators see it; each of them is a badge. */
export const ACCOUNT_STATES = ["Active", "Disabled", "Locked", "Merged"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** What decides about the state, as the database holds it. */
export interface AccountStanding {
  isDisabled: 0 | 1;
  mergedInto: number | null;
  lockedUntil: string | null;
}

/** The state of an account; a merged one is disabled too, and a disabled one may be locked besides. */
export function accountState({ isDisabled, mergedInto, lockedUntil }: AccountStanding, now: Date): AccountState {
  if (mergedInto !== null) return "Merged";
  if (isDisabled === 1) return "Disabled";
  return lockedUntil !== null && lockedUntil > now.toISOString() ? "Locked" : "Active";
}

export const RIGHTS = ["Applicant", "Admin"] as const;
export type Right = (typeof RIGHTS)[number];

/** The rights of an account, in words. */
export const rightsOf = ({ isApplicant, isAdmin }: { isApplicant: 0 | 1; isAdmin: 0 | 1 }): Right[] =>
  RIGHTS.filter((right) => (right === "Admin" ? isAdmin : isApplicant) === 1);

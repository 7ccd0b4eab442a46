/** What an account is for its sign-in, as administrators see it; each of them is a badge. */
export const ACCOUNT_STATES = ["Active", "Disabled", "Locked", "Merged"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** What decides about the state, as the database holds it. */
export interface AccountStanding {
  isDisabled: boolean;
  mergedInto: number | null;
  /** Wrong passwords have locked it until then, except where it was logged in before. */
  lockedUntil: string | null;
  /** An administrator has locked it, everywhere. */
  adminLockedAt: string | null;
}

/** The state of an account; a merged one is disabled too, and a disabled one may be locked besides. */
export function accountState(account: AccountStanding, now: Date): AccountState {
  if (account.mergedInto !== null) return "Merged";
  if (account.isDisabled) return "Disabled";
  return lockOf(account, now) === null ? "Active" : "Locked";
}

/** Who locked an account: an administrator, for everybody, or wrong passwords, for unknown browsers and networks. */
export type Lock = "administrator" | "wrong-passwords";

/** The lock of an account, or null. */
export function lockOf(
  { lockedUntil, adminLockedAt }: Pick<AccountStanding, "lockedUntil" | "adminLockedAt">,
  now: Date,
): Lock | null {
  if (adminLockedAt !== null) return "administrator";
  return lockedUntil !== null && lockedUntil > now.toISOString() ? "wrong-passwords" : null;
}

export const RIGHTS = ["Applicant", "Admin"] as const;
export type Right = (typeof RIGHTS)[number];

/** The rights of an account, in words. */
export const rightsOf = ({ isApplicant, isAdmin }: { isApplicant: boolean; isAdmin: boolean }): Right[] =>
  RIGHTS.filter((right) => (right === "Admin" ? isAdmin : isApplicant));

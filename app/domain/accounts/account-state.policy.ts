/** The states of an account as administrators see them. The pages show each as a badge. */
export const ACCOUNT_STATES = ["Active", "Disabled", "Locked", "Merged", "Erased"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** The stored columns that decide the state of an account. */
export interface AccountStanding {
  isDisabled: boolean;
  mergedInto: number | null;
  /** When the data of the person was erased. */
  erasedAt: string | null;
  /** When the lock because of wrong passwords ends. It does not apply where the user was logged in before. */
  lockedUntil: string | null;
  /** When an administrator locked the account. This lock applies everywhere. */
  adminLockedAt: string | null;
}

/**
 * Returns the state of an account. Merged and Erased come before Disabled, and Disabled before Locked, because a merged or erased account is
 * also disabled and a disabled account can be locked.
 */
export function accountState(account: AccountStanding, now: Date): AccountState {
  if (account.mergedInto !== null) return "Merged";
  if (account.erasedAt !== null) return "Erased";
  if (account.isDisabled) return "Disabled";
  return lockOf(account, now) === null ? "Active" : "Locked";
}

/** What locked an account: an administrator, for everybody, or wrong passwords, for unknown browsers and networks. */
export type Lock = "administrator" | "wrong-passwords";

/** Returns the lock that applies to an account now, or null. */
export function lockOf(
  { lockedUntil, adminLockedAt }: Pick<AccountStanding, "lockedUntil" | "adminLockedAt">,
  now: Date,
): Lock | null {
  if (adminLockedAt !== null) return "administrator";
  return lockedUntil !== null && lockedUntil > now.toISOString() ? "wrong-passwords" : null;
}

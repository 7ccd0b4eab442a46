import { type AccountStanding, accountState } from "../account-state.policy";

/** What administrators can do with an account. These are the values of `intent` that the buttons send. */
export const USER_ACTIONS = [
  "disable",
  "lock",
  "enable",
  "unlock",
  "grant-applicant",
  "withdraw-applicant",
  "grant-admin",
  "withdraw-admin",
  "send-verification",
  "end-sessions",
  "log-in-as",
] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

export interface AdministeredUser extends AccountStanding {
  id: number;
  isApplicant: boolean;
  isAdmin: boolean;
  emailVerifiedAt: string | null;
}

export interface Circumstances {
  /** The administrator who asks; null on the command line. */
  by: number | null;
  /** The ids of the administrators who can log in. */
  administrators: readonly number[];
  now: Date;
}

/**
 * Returns why the portal must keep this administrator, or null. Administrators cannot remove themselves, and the last one cannot be
 * removed.
 */
function whyNotLose({ id }: AdministeredUser, { by, administrators }: Circumstances, own: string): string | null {
  if (id === by) return own;
  const isLast = administrators.length === 1 && administrators[0] === id;
  return isLast ? "This is the last administrator." : null;
}

const OWN_ACCOUNT = "You cannot disable your own account.";
const OWN_LOCK = "You cannot lock your own account.";
const OWN_RIGHT = "You cannot withdraw your own right Admin.";

/** Returns why the action is not possible on this account now, or null when it is. */
export function whyNot(action: UserAction, user: AdministeredUser, circumstances: Circumstances): string | null {
  const state = accountState(user, circumstances.now);
  if (state === "Merged") return "The account was merged into another one.";
  switch (action) {
    case "disable":
      if (state === "Disabled") return "The account is disabled already.";
      return whyNotLose(user, circumstances, OWN_ACCOUNT);
    case "enable":
      return state === "Disabled" ? null : "The account is not disabled.";
    case "lock":
      if (state === "Disabled") return "The account is disabled.";
      if (user.adminLockedAt !== null) return "An administrator has locked the account already.";
      return whyNotLose(user, circumstances, OWN_LOCK);
    case "unlock":
      return state === "Locked" ? null : "The account is not locked.";
    case "grant-applicant":
      return user.isApplicant ? "The account has the right Applicant already." : null;
    case "withdraw-applicant":
      return user.isApplicant ? null : "The account does not have the right Applicant.";
    case "grant-admin":
      return user.isAdmin ? "The account has the right Admin already." : null;
    case "withdraw-admin":
      if (!user.isAdmin) return "The account does not have the right Admin.";
      return whyNotLose(user, circumstances, OWN_RIGHT);
    case "send-verification":
      if (state === "Disabled") return "The account is disabled.";
      return user.emailVerifiedAt === null ? null : "The email address is confirmed already.";
    case "end-sessions":
      if (state === "Disabled") return "The account is disabled, so it has no open sessions.";
      return user.id === circumstances.by ? "You end your own sessions on the page 'Your sessions and devices'." : null;
    case "log-in-as":
      if (user.id === circumstances.by) return "You are logged in as this user already.";
      if (user.isAdmin) return "Nobody can log in as an administrator.";
      if (user.adminLockedAt !== null) return "An administrator has locked the account.";
      return state === "Disabled" ? "The account is disabled." : null;
  }
}

import { type SessionUser } from "~/domain/accounts/session-user";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";

/** The duties of a user in their order, each with its page. The page knows where the user continues afterwards. */
export const DUTY_PAGES = {
  severalAccounts: serverPaths.consolidateUsers,
  expiredPassword: paths.passwordExpiry,
  missingFactor: paths.secondFactors,
  missingDetails: serverPaths.completeRegistration,
} as const satisfies Record<string, (redirectTo?: string) => string>;

export type Duty = keyof typeof DUTY_PAGES;

const ORDER = Object.keys(DUTY_PAGES) as Duty[];

/** Returns whether a user has to do one duty before another. */
export const comesBefore = (one: Duty, other: Duty): boolean => ORDER.indexOf(one) < ORDER.indexOf(other);

/**
 * Returns the first duty of a user, or null. An administrator who acts as a user does not merge accounts, change the password or add a factor for them.
 */
export function dutyOf(user: SessionUser): Duty | null {
  if (!user.impersonator && user.hasSeveralAccounts) return "severalAccounts";
  if (!user.impersonator && user.passwordAge === "expired") return "expiredPassword";
  if (!user.impersonator && user.isFactorOverdue) return "missingFactor";
  return user.hasDetailsMissing ? "missingDetails" : null;
}

/**
 * Returns the page that a user on the way to `target` sees next: the page of a duty, which keeps the target, or the target itself. Actions
 * call this too, because a page that redirects to a duty would lose the action's message where scripts run.
 */
export function landingOf(user: SessionUser, target: string = paths.dashboard): string {
  const duty = dutyOf(user);
  return duty ? DUTY_PAGES[duty](target) : target;
}

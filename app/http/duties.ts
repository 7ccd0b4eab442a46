import { type SessionUser } from "~/domain/accounts/session-user";
import { paths } from "~/lib/paths";

/** What a user has to do before anything else, and its page; that one knows where the way goes on afterwards. */
export const DUTY_PAGES = {
  severalAccounts: paths.consolidateUsers,
  expiredPassword: paths.passwordExpiry,
  missingDetails: paths.completeRegistration,
} as const satisfies Record<string, (redirectTo?: string) => string>;

export type Duty = keyof typeof DUTY_PAGES;

/** The first duty of a user, or null; an administrator who acts as somebody merges nothing and changes no password for them. */
export function dutyOf(user: SessionUser): Duty | null {
  if (!user.impersonator && user.hasSeveralAccounts) return "severalAccounts";
  if (!user.impersonator && user.passwordAge === "expired") return "expiredPassword";
  return user.hasDetailsMissing ? "missingDetails" : null;
}

/**
 * Where a user on the way to `target` comes next: the page of a duty, which keeps the target, or the target. Actions ask, too: a page that
 * sends the user on to a duty would lose the action's message where scripts run.
 */
export function landingOf(user: SessionUser, target: string = paths.dashboard): string {
  const duty = dutyOf(user);
  return duty ? DUTY_PAGES[duty](target) : target;
}

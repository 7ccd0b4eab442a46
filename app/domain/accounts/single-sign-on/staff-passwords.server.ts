import { PortalError } from "~/lib/errors";
import { singleSignOn } from "~/lib/single-sign-on.server";
import { type DbOrTrx, getDb } from "~db/connection.server";
import { type UserRow } from "~db/repositories/users.server";
import { isStaff } from "../rights.policy";
import { staffRightsOf } from "../staff-rights.server";

/** The code of the error for staff who cannot use a password. */
export const STAFF_PASSWORD = "account.staff-password";

/** How many hours `portal users allow-password` allows the password of a member of staff. */
export const PASSWORD_ALLOWED_HOURS = 24;

type Account = Pick<UserRow, "id" | "isAdmin" | "passwordAllowedUntil">;

/**
 * Returns the settings of single sign-on when the account is one of staff who cannot log in with a password, and null when it is not, or
 * when the command line has allowed the password for a day.
 */
async function onlySignOn(db: DbOrTrx, user: Account, now: Date) {
  const settings = singleSignOn();
  if (!settings || settings.staffPasswords) return null;
  if (user.passwordAllowedUntil !== null && user.passwordAllowedUntil > now.toISOString()) return null;
  return isStaff({ rights: await staffRightsOf(db, user) }) ? settings : null;
}

/** Returns whether the account can be logged in to with a password. */
export const hasPasswordLogin = async (db: DbOrTrx, user: Account, now: Date): Promise<boolean> =>
  (await onlySignOn(db, user, now)) === null;

/**
 * Throws a PortalError when the account is one of staff and staff do not log in with passwords (`accounts.singleSignOn.staffPasswords`),
 * unless the command line has allowed it for a day. Must be called only after the password or the reset code was right, so that nobody
 * learns which accounts are those of staff.
 */
export async function requirePasswordLogin(user: Account, now = new Date()): Promise<void> {
  const settings = await onlySignOn(getDb(), user, now);
  if (!settings) return;
  throw new PortalError(
    `Members of staff do not log in with a password here. Please use 'Log in with ${settings.name}' on the login page.`,
    { code: STAFF_PASSWORD },
  );
}

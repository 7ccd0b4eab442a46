import { PortalError } from "~/lib/errors";
import { singleSignOn } from "~/lib/single-sign-on.server";
import { getDb } from "~db/connection.server";
import { type UserRow } from "~db/repositories/users.server";
import { isStaff } from "../rights.policy";
import { staffRightsOf } from "../staff-rights.server";

/** The code of the error for staff who cannot use a password. */
export const STAFF_PASSWORD = "account.staff-password";

/** How many hours `portal users allow-password` allows the password of a member of staff. */
export const PASSWORD_ALLOWED_HOURS = 24;

/**
 * Throws a PortalError when the account is one of staff and staff do not log in with passwords (`accounts.singleSignOn.staffPasswords`),
 * unless the command line has allowed it for a day. Must be called only after the password or the reset code was right, so that nobody
 * learns which accounts are those of staff.
 */
export async function requirePasswordLogin(
  user: Pick<UserRow, "id" | "isAdmin" | "passwordAllowedUntil">,
  now = new Date(),
): Promise<void> {
  const settings = singleSignOn();
  if (!settings || settings.staffPasswords) return;
  if (user.passwordAllowedUntil !== null && user.passwordAllowedUntil > now.toISOString()) return;
  if (!isStaff({ rights: await staffRightsOf(getDb(), user) })) return;
  throw new PortalError(
    `Members of staff do not log in with a password here. Please use 'Log in with ${settings.name}' on the login page.`,
    { code: STAFF_PASSWORD },
  );
}

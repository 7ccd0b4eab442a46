import { resetTries } from "~/domain/limits/tries.server";
import { getConfig } from "~/lib/config.server";
import { DAY } from "~/lib/dates";
import { type Trx } from "~db/connection.server";
import { deleteFactorsOf } from "~db/repositories/second-factors.server";
import { endSessionsOf } from "~db/repositories/sessions.server";
import { endTokensOf } from "~db/repositories/tokens.server";
import { type UserRow } from "~db/repositories/users.server";
import { isStaff } from "../rights.policy";
import { staffRightsOf } from "../staff-rights.server";
import { tellAboutFactors } from "./factor-mails.server";

/** The tokens of logins that wait for a second factor, and of passkeys that are being added or used. */
export const FACTOR_TOKENS = ["second-factor", "sign-on-factor", "passkey-add", "passkey-use"] as const;

/** Why a reset was refused that came too late. */
export const NO_FACTOR_LEFT = "The account has no second factor any more.";

/** The text of the audit entry. */
export const resetText = (reason: string): string => `Reset the second factors: ${reason}`;

/**
 * Removes all second factors and recovery codes of an account, in the caller's transaction, which writes the audit entry. Ends its sessions
 * and the logins that wait for a factor, gives back the tries that were counted, and tells the owner by mail. Staff must add a new factor
 * right after the next login, because their days of grace are over. Returns false, and changes nothing, when the account has no factor.
 */
export async function resetFactors(trx: Trx, user: UserRow, now: Date): Promise<boolean> {
  const mustAdd = isStaff({ rights: await staffRightsOf(trx, user) });
  const askedAt = mustAdd ? new Date(now.getTime() - getConfig().accounts.factorGraceDays * DAY) : null;
  if ((await deleteFactorsOf(trx, user.id, askedAt)) === 0) return false;
  await endTokensOf(trx, user.id, ["change-password", "change-email", "login-as-user", ...FACTOR_TOKENS], now);
  await resetTries(trx, "factor-account", user.id); // so that the owner can add a new factor at once
  await endSessionsOf(trx, [user.id], "administrator", { now });
  const told = {
    key: `reset-${now.getTime()}`,
    what: "The second factors of your account were reset",
    detail: mustAdd
      ? "The former factors have ended. Please add a new one at the next login."
      : "The former factors have ended. The password alone is asked until you add a new one.",
  };
  await tellAboutFactors(trx, user.id, told, now);
  return true;
}

import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { endLocks } from "~db/repositories/account-access.server";
import { forgetPlaceFailures } from "~db/repositories/login-places.server";
import { inTransaction } from "~db/transaction.server";
import { forgetAccountTries } from "../login-throttle.server";

/**
 * Lets the accounts of this user name or e-mail (imported ones can share an e-mail) sign in again at once, with audit entries.
 * Out: their user names; none when there is no such account. A disabled account stays disabled.
 */
export const unlockAccounts = (login: string, actor: Actor, now = new Date()): Promise<string[]> =>
  inTransaction(async (trx) => {
    const accounts = await endLocks(trx, login.trim().toLowerCase(), now);
    for (const account of accounts) {
      const { id } = account;
      await forgetPlaceFailures(trx, id);
      await forgetAccountTries(trx, account);
      const entry = {
        actor,
        event: "account.unlocked",
        message: "Unlocked; wrong passwords are forgotten.",
        userId: id,
      };
      await recordAudit(trx, entry, now);
    }
    return accounts.map(({ username }) => username);
  });

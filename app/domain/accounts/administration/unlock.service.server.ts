import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { endLocks } from "~db/repositories/account-access.server";
import { forgetPlaceFailures } from "~db/repositories/login-places.server";
import { inTransaction } from "~db/transaction.server";
import { resetAccountTries } from "../login-throttle.server";

/**
 * Unlocks all accounts with this user name or email at once, with audit entries. Imported accounts can share an email. Disabled accounts
 * stay disabled. Returns the user names of the accounts, an empty array when there is no such account.
 */
export const unlockAccounts = (login: string, actor: Actor, now = new Date()): Promise<string[]> =>
  inTransaction(async (trx) => {
    const accounts = await endLocks(trx, login.trim().toLowerCase(), now);
    for (const account of accounts) {
      const { id } = account;
      await forgetPlaceFailures(trx, id);
      await resetAccountTries(trx, account);
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

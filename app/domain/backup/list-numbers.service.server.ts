import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { skipCrlNumbers } from "~db/repositories/crls.server";
import { inTransaction } from "~db/transaction.server";

/**
 * How many are passed over: lists published after the copy was made had some of them, and a number never comes twice (RFC 5280 §5.2.3).
 * A hundred years of hourly lists use fewer.
 */
const COUNT = 1_000_000;

/** For a database that came back from an older copy. In: what is said of that in the audit trail. */
export const passOverListNumbers = (message: string, now = new Date()): Promise<void> =>
  inTransaction(async (trx) => {
    await skipCrlNumbers(trx, COUNT);
    await recordAudit(trx, { actor: systemActor("command line"), event: "portal.restored", message }, now);
  });

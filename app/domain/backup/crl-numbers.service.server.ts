import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { skipCrlNumbers } from "~db/repositories/crls.server";
import { inTransaction } from "~db/transaction.server";

/**
 * How many CRL numbers are skipped. CRLs that were published after the copy was made have used some of them, and no number may be used
 * twice (RFC 5280 §5.2.3). Hourly CRLs use fewer in a hundred years.
 */
const COUNT = 1_000_000;

/** Skips CRL numbers in a database that was restored from an older copy. `message` is recorded in the audit trail. */
export const passOverCrlNumbers = (message: string, now = new Date()): Promise<void> =>
  inTransaction(async (trx) => {
    await skipCrlNumbers(trx, COUNT);
    await recordAudit(trx, { actor: systemActor("command line"), event: "portal.restored", message }, now);
  });

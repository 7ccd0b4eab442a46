import { type Actor, recordAudits } from "~/domain/audit/audit.service.server";
import { requeueMails } from "~db/repositories/mail-queue.server";
import { inTransaction } from "~db/transaction.server";
import { demandChosen, nameOf } from "./chosen.server";

/**
 * Makes chosen messages due at once, rejected ones too, each with an audit entry; the job delivers them. Out: how many; those that are sent
 * already, or dismissed, are left out. Throws a PortalError when none or too many are chosen.
 */
export function sendAgain(ids: readonly number[], actor: Actor, now = new Date()): Promise<number> {
  demandChosen(ids, "send-again");
  return inTransaction(async (trx) => {
    const mails = await requeueMails(trx, ids, now);
    const entries = mails.map((mail) => {
      const message = `${nameOf(mail)} is sent again.`;
      return { actor, event: "mail.sent-again", message, orderId: mail.orderId, reference: `mail-${mail.id}` };
    });
    await recordAudits(trx, entries, now);
    return mails.length;
  });
}

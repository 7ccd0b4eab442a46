import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { makeMailsDue } from "~db/repositories/mails.server";
import { inTransaction } from "~db/transaction.server";
import { deliverDueMail } from "./delivery.service.server";

/** Tries every waiting message now because somebody asks for it, with an audit entry when there are any. Out: how many were sent, and not. */
export async function retryMails(actor: Actor, now = new Date()): Promise<{ sent: number; failed: number }> {
  await inTransaction(async (trx) => {
    const waiting = await makeMailsDue(trx, now);
    const message = `Tried all waiting messages at once (${waiting}).`;
    if (waiting > 0) await recordAudit(trx, { actor, event: "mail.retried", message }, now);
  });
  return deliverDueMail(now);
}

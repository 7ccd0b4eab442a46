import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor, recordAudits, recordAudit } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { listChosen, requeueMails } from "~db/repositories/mail-queue.server";
import { makeMailsDue } from "~db/repositories/mails.server";
import { inTransaction } from "~db/transaction.server";
import { requireChosen, mailTitle } from "./chosen.server";
import { deliverDueMail } from "./delivery.service.server";

/** Why a held message cannot be sent again. */
export const STILL_HELD =
  "Held messages cannot be sent: they are sent by themselves when what they wait for has happened.";

/**
 * Makes the selected messages due at once, including rejected ones, each with an audit entry. The job delivers them. Returns the number of
 * messages; those that have been sent or dismissed are left out. Throws a PortalError when none or too many are selected, or when one of
 * them is held.
 */
export async function sendAgain(ids: readonly number[], actor: Actor, now = new Date()): Promise<number> {
  requireChosen(ids, "send-again");
  if ((await listChosen(getDb(), ids)).some(({ heldFor }) => heldFor !== null))
    throw new PortalError(STILL_HELD, { code: "mail.send-again", status: 422 });
  return inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-mail");
    const mails = await requeueMails(trx, ids, now);
    const entries = mails.map((mail) => {
      const message = `${mailTitle(mail)} is sent again.`;
      return { actor, event: "mail.sent-again", message, orderId: mail.orderId, reference: `mail-${mail.id}` };
    });
    await recordAudits(trx, entries, now);
    return mails.length;
  });
}

/**
 * Tries to send all waiting messages now at somebody's request. Writes an audit entry when there are any. Returns how many were sent and
 * how many failed.
 */
export async function retryMails(actor: Actor, now = new Date()): Promise<{ sent: number; failed: number }> {
  await inTransaction(async (trx) => {
    const waiting = await makeMailsDue(trx, now);
    const message = `Tried all waiting messages at once (${waiting}).`;
    if (waiting > 0) await recordAudit(trx, { actor, event: "mail.retried", message }, now);
  });
  return deliverDueMail(now);
}

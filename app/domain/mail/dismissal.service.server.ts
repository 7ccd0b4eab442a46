import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor, recordAudits } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { dismissUnsendable, listChosen } from "~db/repositories/mail-queue.server";
import { inTransaction } from "~db/transaction.server";
import { requireChosen, mailTitle } from "./chosen.server";

/** Why a message that is neither rejected nor held cannot be dismissed. */
export const STILL_TRIED = "Only rejected and held messages can be dismissed: the portal still tries the others.";

const REFUSED = "the mail server refused";

/**
 * Returns the selected messages in words, for the confirmation question. Throws a PortalError when none or too many are selected, or when
 * the portal still tries to send one of them.
 */
export async function listDismissible(ids: readonly number[]): Promise<{ id: number; name: string }[]> {
  requireChosen(ids, "dismiss");
  const mails = await listChosen(getDb(), ids);
  if (mails.some(({ rejectedAt, heldFor }) => rejectedAt === null && heldFor === null))
    throw new PortalError(STILL_TRIED, { code: "mail.dismiss", status: 422 });
  return mails.map((mail) => ({ id: mail.id, name: mailTitle(mail) }));
}

/**
 * Removes rejected and held messages from the queue for good, each with an audit entry. Their texts are deleted. Their keys stay, so that
 * the same messages are not queued again. Returns the number of messages; those that were sent, dismissed or made due meanwhile are left
 * out. Throws the same errors as `listDismissible`.
 */
export async function dismissMails(ids: readonly number[], actor: Actor, now = new Date()): Promise<number> {
  await listDismissible(ids);
  return inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-mail");
    const reasons = new Map((await listChosen(trx, ids)).map(({ id, heldFor }) => [id, heldFor && "was held"]));
    const mails = await dismissUnsendable(trx, ids, now);
    const entries = mails.map((mail) => {
      const message = `${mailTitle(mail)}, which ${reasons.get(mail.id) ?? REFUSED}, was dismissed.`;
      return { actor, event: "mail.dismissed", message, orderId: mail.orderId, reference: `mail-${mail.id}` };
    });
    await recordAudits(trx, entries, now);
    return mails.length;
  });
}

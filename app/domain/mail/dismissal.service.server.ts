import { type Actor, recordAudits } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { dismissUnsendable, listChosen } from "~db/repositories/mail-queue.server";
import { inTransaction } from "~db/transaction.server";
import { demandChosen, mailTitle } from "./chosen.server";

/** Why a message that is neither rejected nor held cannot be dismissed. */
export const STILL_TRIED = "Only rejected and held messages can be dismissed: the portal still tries the others.";

const REFUSED = "the mail server refused";

/** What the question is about: the chosen messages in words. Throws a PortalError when none or too many are chosen, or one is still tried. */
export async function listDismissible(ids: readonly number[]): Promise<{ id: number; name: string }[]> {
  demandChosen(ids, "dismiss");
  const mails = await listChosen(getDb(), ids);
  if (mails.some(({ rejectedAt, heldFor }) => rejectedAt === null && heldFor === null))
    throw new PortalError(STILL_TRIED, { code: "mail.dismiss", status: 422 });
  return mails.map((mail) => ({ id: mail.id, name: mailTitle(mail) }));
}

/**
 * Takes rejected and held messages out of the queue for good, each with an audit entry. Their texts go, their keys stay: what they told is not queued
 * anew. Out: how many; those that were sent, dismissed or made due meanwhile are left out. Throws a PortalError as `listDismissible` does.
 */
export async function dismissMails(ids: readonly number[], actor: Actor, now = new Date()): Promise<number> {
  await listDismissible(ids);
  return inTransaction(async (trx) => {
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

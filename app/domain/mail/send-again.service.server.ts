import { type Actor, recordAudits } from "~/domain/audit/audit.service.server";
import { PortalError } from "~/lib/errors";
import { PAGE_SIZES } from "~/lib/list-params";
import { requeueMails } from "~db/repositories/mail-queue.server";
import { inTransaction } from "~db/transaction.server";
import { kindOf, MAIL_KINDS } from "./kinds";

/** Messages that can be chosen at a time: those of the longest page. */
const MOST_CHOSEN = Math.max(...PAGE_SIZES);

const refusal = (message: string) => new PortalError(message, { code: "mail.send-again", status: 422 });

/**
 * Makes chosen messages due at once, rejected ones too, each with an audit entry; the job delivers them. Out: how many; those that are sent
 * already are left out. Throws a PortalError when none or too many are chosen.
 */
export function sendAgain(ids: readonly number[], actor: Actor, now = new Date()): Promise<number> {
  if (ids.length === 0) throw refusal("Choose the messages to send again first.");
  if (ids.length > MOST_CHOSEN) throw refusal(`Choose at most ${MOST_CHOSEN} messages.`);
  return inTransaction(async (trx) => {
    const mails = await requeueMails(trx, ids, now);
    const entries = mails.map(({ id, dedupeKey, recipient, orderId }) => {
      const kind = kindOf(dedupeKey);
      const what = kind === null ? "A message" : `The message '${MAIL_KINDS[kind].title}'`;
      const message = `${what} to ${recipient} is sent again.`;
      return { actor, event: "mail.sent-again", message, orderId, reference: `mail-${id}` };
    });
    await recordAudits(trx, entries, now);
    return mails.length;
  });
}

import { type LaidOutMail } from "~/domain/mail/compose.server";
import { type MailKind } from "~/domain/mail/kinds";
import { type DirectMail, queueMail } from "~/domain/mail/queue.service.server";
import { inTransaction } from "~db/transaction.server";

/** Queues a message of any kind to any address, without an account, for tests of the queue itself. */
export const queueAnyMail = (dedupeKey: `${MailKind}:${string}`, to: string, mail: LaidOutMail): Promise<void> =>
  inTransaction((trx) => queueMail(trx, { dedupeKey: dedupeKey as DirectMail["dedupeKey"], to, mail }));

import { composeMail, type ComposedMail, type LaidOutMail } from "~/domain/mail/compose.server";
import { type MailKind } from "~/domain/mail/kinds";
import { type DirectMail, queueMail } from "~/domain/mail/queue.service.server";
import { inTransaction } from "~db/transaction.server";

/** A message with a subject and one sentence, for tests that need any message. */
export const plainMail = (subject: string, text: string): ComposedMail =>
  composeMail({
    subject,
    paragraphs: [text],
    next: "There is nothing to do.",
    action: { label: "Open the portal", url: "https://portal.example/" },
  });

/** Queues a message of any kind to any address, without an account, for tests of the queue itself. */
export const queueAnyMail = (dedupeKey: `${MailKind}:${string}`, to: string, mail: LaidOutMail): Promise<void> =>
  inTransaction((trx) => queueMail(trx, { dedupeKey: dedupeKey as DirectMail["dedupeKey"], to, mail }));

import { type Trx } from "~db/connection.server";
import { insertMail } from "~db/repositories/mails.server";
import { type ComposedMail } from "./compose.server";
import { type MailKind } from "./kinds";

export interface QueuedMail {
  /** One message per key, whatever is retried: `order-confirmation:1001`. */
  dedupeKey: `${MailKind}:${string}`;
  /** One e-mail address. */
  to: string;
  orderId?: number | null;
  /** The invoice whose PDF goes with it. */
  invoiceId?: number | null;
  mail: ComposedMail;
}

/** Puts a message into the queue, in the transaction of the change that it tells about. A known key changes nothing. */
export async function queueMail(
  trx: Trx,
  { dedupeKey, to, orderId, invoiceId, mail }: QueuedMail,
  now = new Date(),
): Promise<void> {
  await insertMail(trx, {
    dedupeKey,
    recipient: to,
    ...mail,
    orderId: orderId ?? null,
    invoiceId: invoiceId ?? null,
    createdAt: now,
    nextAttemptAt: now,
  });
}

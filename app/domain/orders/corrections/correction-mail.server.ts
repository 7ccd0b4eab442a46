import { recipientFor } from "~/domain/companies/recipient.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { orderCorrectedMail } from "~/domain/mail/templates/corrections.server";
import { getEnv } from "~/lib/env.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { listInvoicesOf } from "~db/repositories/invoices.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { parseInvoiceContent } from "../invoices/invoice-content";
import { queueInvoiceMails } from "../invoices/invoice-mail.server";
import { currentInvoice } from "../invoices/issue-invoice.server";
import { orderNumber } from "../order-number";
import { type Correction } from "./correction";
import { type CorrectionState } from "./correction-state.server";

/** Returns what the customer has to do about a corrected order. */
function nextOf({ status, paymentCents, totalCents }: OrderRow, isInvoiceNew: boolean, isPart: boolean): string {
  const isPaidInPart = paymentCents !== null && paymentCents > 0 && paymentCents < totalCents;
  if (status === "Invoiced" && isPaidInPart) return `Please pay the missing ${formatEuro(totalCents - paymentCents)}.`;
  if (status === "Invoiced" && isInvoiceNew && isPart)
    return "Please pay the new invoice. If you have not paid the old one yet, pay it less the amount of the credit note.";
  if (status === "Invoiced" && isInvoiceNew)
    return "Please pay the new invoice instead of the one that is cancelled, unless you have paid that one.";
  const isPaidTooMuch = status === "Paid" && (paymentCents ?? 0) > totalCents;
  return isPaidTooMuch ? "There is nothing to do: we pay back what was paid too much." : "There is nothing to do.";
}

interface QueuedCorrection {
  number: string;
  changes: readonly Correction[];
  effects: readonly string[];
  isInvoiceNew: boolean;
  /** Whether the invoice that it replaces is for other orders, too. */
  isPart: boolean;
}

/** Queues the message that confirms a correction to whoever gets the messages about the order. */
export async function queueCorrectionMail(
  trx: Trx,
  order: OrderRow,
  { isInvoiceNew, isPart, ...correction }: QueuedCorrection,
  now: Date,
): Promise<void> {
  const recipient = await recipientFor(trx, order);
  const mail = orderCorrectedMail({
    name: `${recipient.firstName} ${recipient.lastName}`,
    orderNumber: orderNumber(order.id),
    ...correction,
    next: nextOf(order, isInvoiceNew, isPart),
    url: getEnv().publicUrl + paths.order(order.id),
  });
  await queueOwnMail(
    trx,
    recipient.id,
    { orderId: order.id, dedupeKey: `order-corrected:${correction.number}`, mail },
    now,
  );
}

/**
 * Queues what an address misses when a correction changes the email of the invoice address: the invoice that stays, for the new address, or the
 * credit note that cancels what was sent to the old one, for that one.
 *
 * @param creditNoteId The credit note that the correction made, or null.
 */
export async function queueMissedDocument(
  trx: Trx,
  { order, invoices }: CorrectionState,
  { corrected, creditNoteId }: { corrected: OrderRow; creditNoteId: number | null },
  now: Date,
): Promise<void> {
  const isCredited = creditNoteId !== null;
  const document = isCredited
    ? (await listInvoicesOf(trx, [order.id])).find(({ id }) => id === creditNoteId)
    : currentInvoice(invoices);
  if (!document) return;
  const about = { id: document.id, content: parseInvoiceContent(document.content) };
  const recipient = await recipientFor(trx, corrected);
  await queueInvoiceMails(trx, [{ ...about, recipient, order: isCredited ? order : corrected }], now);
}

import { recipientFor } from "~/domain/companies/recipient.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { orderCorrectedMail } from "~/domain/mail/templates/corrections.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { orderNumber } from "../order-number";
import { type Correction } from "./correction";

/** Returns what the customer has to do about a corrected order. */
function nextOf({ status, paymentCents, totalCents }: OrderRow): string {
  if (status === "Invoiced") return "Please pay the invoice of the order, unless you have paid it.";
  const isPaidTooMuch = status === "Paid" && (paymentCents ?? 0) > totalCents;
  return isPaidTooMuch ? "There is nothing to do: we pay back what was paid too much." : "There is nothing to do.";
}

/** Queues the message that confirms a correction to whoever gets the messages about the order. */
export async function queueCorrectionMail(
  trx: Trx,
  order: OrderRow,
  correction: { number: string; changes: readonly Correction[]; effects: readonly string[] },
  now: Date,
): Promise<void> {
  const recipient = await recipientFor(trx, order);
  const mail = orderCorrectedMail({
    name: `${recipient.firstName} ${recipient.lastName}`,
    orderNumber: orderNumber(order.id),
    ...correction,
    next: nextOf(order),
    url: getEnv().publicUrl + paths.order(order.id),
  });
  await queueOwnMail(
    trx,
    recipient.id,
    { orderId: order.id, dedupeKey: `order-corrected:${correction.number}`, mail },
    now,
  );
}

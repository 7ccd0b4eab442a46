import { recipientFor } from "~/domain/companies/recipient.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { orderCorrectedMail } from "~/domain/mail/templates/corrections.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { orderNumber } from "../order-number";
import { type Correction } from "./correction";

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
    url: getEnv().publicUrl + paths.order(order.id),
  });
  await queueOwnMail(
    trx,
    recipient.id,
    { orderId: order.id, dedupeKey: `order-corrected:${correction.number}`, mail },
    now,
  );
}

import { recipientFor } from "~/domain/companies/recipient.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { paymentWithdrawnMail, salesOrderCancelledMail } from "~/domain/mail/templates/orders.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { orderNumber } from "./order-number";
import { orderTypeLabel } from "./order-types";
import { progressForMail } from "./own/certificate-progress.server";
import { codeProgressForMail } from "./own/code-progress.server";

/**
 * Queues the email that informs the customer that the order was cancelled or is no longer paid.
 *
 * @param note The sentences that `customerNote` returns.
 */
export async function tellCustomer(trx: Trx, order: OrderRow, note: readonly string[], now: Date): Promise<void> {
  const { id: orderId, purchaseOrderNumber, orderType } = order;
  const owner = await recipientFor(trx, order);
  const certificate = await findCertificateByOrder(trx, orderId);
  const data = {
    name: `${owner.firstName} ${owner.lastName}`,
    orderNumber: orderNumber(orderId),
    purchaseOrderNumber,
    orderType: orderTypeLabel(orderType),
    note,
    steps: certificate ? await progressForMail(trx, owner.id, certificate.id) : await codeProgressForMail(trx, orderId),
    url: getEnv().publicUrl + paths.order(orderId),
  };
  const mail =
    order.status === "Cancelled"
      ? { dedupeKey: `sales-order-cancelled:${orderId}` as const, mail: salesOrderCancelledMail(data) }
      : // The timestamp makes the key different when the payment is taken back again.
        { dedupeKey: `payment-withdrawn:${orderId}:${order.updatedAt}` as const, mail: paymentWithdrawnMail(data) };
  await queueOwnMail(trx, owner.id, { orderId, ...mail }, now);
}

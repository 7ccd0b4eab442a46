import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { refundText } from "~/domain/orders/refund.policy";
import { type Trx } from "~db/connection.server";
import { cancelSalesOrder, type CertificateRow } from "~db/repositories/certificates.server";
import { findOrder } from "~db/repositories/orders.server";
import { releasePromotionCode } from "~db/repositories/promotion-codes.server";

/** What remains of an order that ended without a certificate. */
export interface OrderEnd {
  /** What staff must do with the payment, or null when nothing was paid. */
  refund: string | null;
  /** The promotion code that can be used again, or null. */
  promotionCode: string | null;
}

/**
 * Ends the sales order of a rejected or cancelled certificate, in the caller's transaction. Its promotion code can be used again, and a
 * payment is noted for repayment. Both are recorded in the audit trail.
 */
export async function endSalesOrder(trx: Trx, row: CertificateRow, user: SessionUser, now: Date): Promise<OrderEnd> {
  const { orderId, userId, id: certificateId } = row;
  const order = await findOrder(trx, orderId);
  if (!order) throw new Error(`Certificate ${certificateId} has no order.`);
  await cancelSalesOrder(trx, orderId, now);
  const about = { actor: user.actor, userId, orderId, certificateId };
  const number = orderNumber(orderId);
  const promotionCode = await releasePromotionCode(trx, orderId);
  if (promotionCode !== null) {
    const message = `Promotion code ${promotionCode} of order ${number} can be used again.`;
    await recordAudit(trx, { ...about, event: "promotion-code.released", message, reference: promotionCode }, now);
  }
  const refund = refundText(order);
  if (refund !== null)
    await recordAudit(trx, { ...about, event: "order.refund-due", message: refund, reference: number }, now);
  return { refund, promotionCode };
}

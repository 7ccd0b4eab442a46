import { deliverMail } from "~/domain/mail/delivery.service.server";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { findOrder, setOrderNotified } from "~db/repositories/orders.server";

/** How long the customer waits for the first try to send the email, in milliseconds. The queue tries again later. */
const FIRST_TRY = 5000;

/**
 * Sends the messages of a stored order at once and records whether the customer's was sent (`isNotified`). Does nothing when that is
 * recorded already. Never throws, because the order is stored in any case; the page then says that the customer was not notified.
 */
export async function notifyCustomer(orderId: number): Promise<void> {
  try {
    const order = await findOrder(getDb(), orderId);
    if (!order || order.isNotified !== null) return;
    await setOrderNotified(getDb(), orderId, await deliverMail({ orderId }, { within: FIRST_TRY }));
  } catch (error) {
    logError(error);
  }
}

/** The answer about a completed order (PUR-10, API-03). */
export interface Completion {
  orderId: number;
  isNotified: boolean;
}

/** Notifies the customer of an order and returns the result. */
export async function completionOf(orderId: number): Promise<Completion> {
  await notifyCustomer(orderId);
  return { orderId, isNotified: (await findOrder(getDb(), orderId))?.isNotified === true };
}

import { deliverMail } from "~/domain/mail/delivery.service.server";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { findOrder, setOrderNotified } from "~db/repositories/orders.server";

/** How long a customer waits for the first try, in milliseconds; the queue goes on trying afterwards. */
const FIRST_TRY = 5000;

/**
 * Hands a stored order's mails over at once and keeps whether the customer's went out (isNotified). Asked again it does nothing.
 * Never throws: the order stands, and not notified is what the page then says.
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

/** What is answered of a completed order (PUR-10, API-03). */
export interface Completion {
  orderId: number;
  isNotified: boolean;
}

/** `notifyCustomer`, and what came of it. */
export async function completionOf(orderId: number): Promise<Completion> {
  await notifyCustomer(orderId);
  return { orderId, isNotified: (await findOrder(getDb(), orderId))?.isNotified === true };
}

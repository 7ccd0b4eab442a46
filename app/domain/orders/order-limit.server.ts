import { consumeTry, giveBackTry } from "~/domain/limits/tries.server";
import { getDb } from "~db/connection.server";
import { hasAcceptedOrder } from "~db/repositories/orders.server";

interface Orderer {
  id: number;
  emailVerified: boolean;
}

const limitOf = async ({ id, emailVerified }: Orderer) =>
  emailVerified && (await hasAcceptedOrder(getDb(), id)) ? "order-account" : "order-new-account";

/**
 * Calls `store` within the limit of orders that an account may place in a day. Throws a PortalError (429) when there were too many. Only an
 * order that is stored now counts.
 *
 * @param store Stores the order and returns its id, or null when it was stored before.
 */
export async function withinOrderLimit(user: Orderer, store: () => Promise<number | null>): Promise<number | null> {
  const limit = await limitOf(user);
  await consumeTry(limit, user.id);
  let orderId: number | null = null;
  try {
    orderId = await store();
    return orderId;
  } finally {
    if (orderId === null) await giveBackTry(limit, user.id);
  }
}

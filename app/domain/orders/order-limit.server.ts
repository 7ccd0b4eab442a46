import { countTry, returnTry } from "~/domain/limits/tries.server";
import { getDb } from "~db/connection.server";
import { hasAcceptedOrder } from "~db/repositories/orders.server";

interface Orderer {
  id: number;
  emailVerified: boolean;
}

const limitOf = async ({ id, emailVerified }: Orderer) =>
  emailVerified && (await hasAcceptedOrder(getDb(), id)) ? "order-account" : "order-new-account";

/**
 * Stores an order within what an account may order in a day. `store` stores it, and answers null when it was stored before. Throws a
 * PortalError (429) when there were too many; only an order that is stored now counts.
 */
export async function withinOrderLimit(user: Orderer, store: () => Promise<number | null>): Promise<number | null> {
  const limit = await limitOf(user);
  await countTry(limit, user.id);
  let orderId: number | null = null;
  try {
    orderId = await store();
    return orderId;
  } finally {
    if (orderId === null) await returnTry(limit, user.id);
  }
}

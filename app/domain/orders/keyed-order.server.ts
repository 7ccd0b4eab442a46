import { addDays } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { findOrderKey, setKeyedOrder, takeOrderKey } from "~db/repositories/order-keys.server";
import { type Completion, completionOf } from "./notification.service.server";
import { type OrderClaim, unclaimed } from "./order-claim";

/** The key under which somebody sends an order, and what was sent; both as SHA-256 in hexadecimal. */
export interface OrderKey {
  userId: number;
  keyHash: string;
  fingerprint: string;
}

const LIFETIME_DAYS = 7;

/** The order that was placed under a key, or null. Throws a PortalError when it was placed with something else. */
async function findKeyedOrder(key: OrderKey): Promise<number | null> {
  const row = await findOrderKey(getDb(), key);
  if (row && row.fingerprint !== key.fingerprint)
    throw new PortalError("This Idempotency-Key was sent with another request already.", { code: "idempotency.other" });
  return row?.orderId ?? null;
}

const claimOf = (key: OrderKey, now: Date): OrderClaim => ({
  hold: (trx) => takeOrderKey(trx, { ...key, expiresAt: addDays(now, LIFETIME_DAYS) }),
  settle: (trx, orderId) => setKeyedOrder(trx, key, orderId),
});

/** Places it under the key; who sent it twice at once finds the first one's order, which may be in the second one's way. */
async function placeKeyed(key: OrderKey, place: (claim: OrderClaim) => Promise<number | null>, now: Date) {
  try {
    return (await place(claimOf(key, now))) ?? (await findKeyedOrder(key));
  } catch (error) {
    const orderId = await findKeyedOrder(key);
    if (orderId === null) throw error;
    return orderId;
  }
}

/**
 * Places an order that came in one request: with a key once, however often it is sent; a refused one leaves the key free.
 * In: what checks and stores the order under a claim (null: the claim became an order already). Throws what `place` throws, and a
 * PortalError when the key was sent with something else.
 */
export async function placeOnce(
  key: OrderKey | null,
  place: (claim: OrderClaim) => Promise<number | null>,
  now = new Date(),
): Promise<Completion> {
  const known = key && (await findKeyedOrder(key));
  const orderId = known ?? (await (key ? placeKeyed(key, place, now) : place(unclaimed)));
  if (orderId === null) throw new Error("An order was neither placed nor found.");
  return completionOf(orderId);
}

import { addDays } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { getDb, type Trx } from "~db/connection.server";
import { findOrderKey, type OrderKeyRow, setKeyedOrder, takeOrderKey } from "~db/repositories/order-keys.server";
import { type Completion, completionOf } from "./notification.service.server";
import { type OrderClaim, unclaimed } from "./order-claim";

/** The idempotency key under which a user sends an order, and the fingerprint of what was sent. Both are SHA-256 in hexadecimal. */
export interface OrderKey {
  userId: number;
  keyHash: string;
  fingerprint: string;
}

const LIFETIME_DAYS = 7;

/** Returns the stored row of a key, or null. Throws a PortalError when the key was sent with another request. */
export async function findSentKey(key: OrderKey): Promise<OrderKeyRow | null> {
  const row = await findOrderKey(getDb(), key);
  if (row && row.fingerprint !== key.fingerprint)
    throw new PortalError("This Idempotency-Key was sent with another request already.", { code: "idempotency.other" });
  return row;
}

const findKeyedOrder = async (key: OrderKey): Promise<number | null> => (await findSentKey(key))?.orderId ?? null;

/** Takes a key until the transaction ends. Returns false when it is stored already (`takeOrderKey`). */
export const takeKey = (trx: Trx, key: OrderKey, now: Date): Promise<boolean> =>
  takeOrderKey(trx, { ...key, expiresAt: addDays(now, LIFETIME_DAYS) });

/** Returns when the key of this row was taken. */
export const keyTakenAt = ({ expiresAt }: OrderKeyRow): string =>
  addDays(new Date(expiresAt), -LIFETIME_DAYS).toISOString();

/** Returns the claim of a request with a key. */
export const claimOf = (key: OrderKey, now: Date): OrderClaim => ({
  hold: (trx) => takeKey(trx, key, now),
  settle: (trx, orderId) => setKeyedOrder(trx, key, orderId),
});

/**
 * Places an order under the key. When the same request is sent twice at once, the second one may fail because of the first one's order, and
 * then returns that order.
 */
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
 * Places an order that comes in one request. With a key it is placed once, however often it is sent; a refused order leaves the key free.
 * Throws the errors of `place`, and a PortalError when the key was sent with another request.
 *
 * @param place Checks and stores the order under a claim. Returns its id, or null when the claim has become an order already.
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

import { getDb } from "~db/connection.server";
import { listCorrectionsOf } from "~db/repositories/order-corrections.server";
import { claimOf, findSentKey, keyTakenAt, type OrderKey } from "../keyed-order.server";
import { type OrderClaim, unclaimed } from "../order-claim";
import { correctionNumber } from "./correction";
import { type CorrectionMade } from "./corrections.service.server";

/** Returns the number of the correction that was made with this key, or null. It was stored at the instant at which the key was taken. */
async function findKeyed(key: OrderKey): Promise<string | null> {
  const row = await findSentKey(key);
  if (!row || row.orderId === null) return null;
  const made = (await listCorrectionsOf(getDb(), [row.orderId])).find(({ createdAt }) => createdAt === keyTakenAt(row));
  return made ? correctionNumber(made) : null;
}

async function correctKeyed(
  key: OrderKey,
  correct: (claim: OrderClaim, now: Date) => Promise<CorrectionMade | null>,
  now: Date,
): Promise<string | null> {
  try {
    return (await correct(claimOf(key, now), now))?.number ?? (await findKeyed(key));
  } catch (error) {
    // When the same request is sent twice at once, the second one finds nothing to correct.
    const number = await findKeyed(key);
    if (number === null) throw error;
    return number;
  }
}

/**
 * Makes a correction that comes in one request, and returns its number. With a key it is made once, however often it is sent; a refused
 * correction leaves the key free. Throws the errors of `correct`, and a PortalError when the key was sent with another request.
 *
 * @param correct Makes the correction under a claim at an instant. Returns null when the claim was used before.
 */
export async function correctOnce(
  key: OrderKey | null,
  correct: (claim: OrderClaim, now: Date) => Promise<CorrectionMade | null>,
  now = new Date(),
): Promise<string> {
  const known = key && (await findKeyed(key));
  const number = known ?? (key ? await correctKeyed(key, correct, now) : (await correct(unclaimed, now))?.number);
  if (!number) throw new Error("A correction was neither made nor found.");
  return number;
}

import { createHash } from "node:crypto";
import { z } from "zod";
import { type OrderKey } from "~/domain/orders/keyed-order.server";
import { PortalError } from "~/lib/errors";
import { type SignedCaller } from "./call";

export const IDEMPOTENCY_HEADER = "Idempotency-Key";

/** The header of the calls that place an order. */
export const idempotencyHeader = z.object({
  [IDEMPOTENCY_HEADER]: z
    .string()
    .max(200)
    .optional()
    .describe("A new text for each order, repeated when the same order is sent again"),
});

const onceNotes = (isDone: string, doesNothing: string, what: string) =>
  `With an \`${IDEMPOTENCY_HEADER}\` (1 to 200 visible ASCII characters) ${isDone} once: the same request with the same key is answered as before and
${doesNothing}; another request with it is refused (422). A key is kept for seven days; a refused ${what} does not use it up.`;

export const IDEMPOTENCY_NOTES = onceNotes("an order is placed", "orders nothing", "order");
export const CORRECTED_ONCE_NOTES = onceNotes("a correction is made", "corrects nothing", "correction");

/** The answer of these calls (API-03). */
export const placedOrder = z.object({
  orderId: z.number().int(),
  isNotified: z
    .boolean()
    .describe(
      "Whether the confirmation to the account's own address went out at once; false also while it waits for that address to be confirmed",
    ),
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * Returns the idempotency key of a request, or null when it has none. Throws a PortalError (400) for an invalid key.
 * @param input The request as the call's schema parsed it.
 */
export function orderKeyOf({ request, user }: SignedCaller, path: string, input: unknown): OrderKey | null {
  const key = request.headers.get(IDEMPOTENCY_HEADER);
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new PortalError(`${IDEMPOTENCY_HEADER} must be 1 to 200 visible ASCII characters.`, {
      code: "idempotency.key",
      status: 400,
    });
  // A key has no spaces, so those of a client and of the person who answers for it cannot be the same.
  const named = user.apiClient ? `${user.apiClient.id} ${key}` : key;
  return { userId: user.id, keyHash: sha256(named), fingerprint: sha256(JSON.stringify([path, input])) };
}

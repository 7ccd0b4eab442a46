import { setTimeout as sleep } from "node:timers/promises";
import { type SessionUser } from "~/domain/accounts/session-user";
import { consumeTry } from "~/domain/limits/tries.server";
import { notFound } from "~/lib/errors";
import { log } from "~/lib/log.server";
import { getDb, type Trx } from "~db/connection.server";
import {
  findDelivery,
  insertDelivery,
  restartDelivery,
  type WebhookDelivery,
} from "~db/repositories/webhook-deliveries.server";
import { type WebhookEndpoint } from "~db/repositories/webhook-endpoints.server";
import { inTransaction } from "~db/transaction.server";
import { deliverNow } from "./delivery.server";
import { TEST_EVENT } from "./events";
import {
  endpointName,
  recordWebhook,
  requireEndpoint,
  requireOwnWebhooks,
  requireWebhookOwner,
} from "./managing.server";
import { deliveryOf } from "./payload.server";
import { newMessageId } from "./signing.server";

/** How long a page waits for the answer of a receiver, in milliseconds. The try goes on in the background. */
const PAGE_WAITS_MS = 5000;

/** Sends a delivery at once. Returns it as it is when an answer has come, or after PAGE_WAITS_MS. */
async function sendAtOnce(id: number, endpointId: number, now: Date): Promise<WebhookDelivery> {
  const sending = deliverNow(id, now).catch((error: unknown) => log().error({ err: error }, "a webhook failed"));
  await Promise.race([sending, sleep(PAGE_WAITS_MS, undefined, { ref: false })]);
  const delivery = await findDelivery(getDb(), { id, endpointId });
  if (!delivery) throw notFound();
  return delivery;
}

type Queue = (trx: Trx, endpoint: WebhookEndpoint) => Promise<{ id: number; event: string; message: string }>;

/** Queues one delivery by hand, records that, and sends it at once, also to a paused endpoint. */
async function sendByHand(user: SessionUser, endpointId: number, queue: Queue, now: Date): Promise<WebhookDelivery> {
  requireOwnWebhooks(user);
  await consumeTry("webhook-company", user.companyId);
  const id = await inTransaction(async (trx) => {
    await requireWebhookOwner(trx, user, now);
    const { id: queued, ...entry } = await queue(trx, await requireEndpoint(trx, user, endpointId));
    await recordWebhook(trx, user, entry, now);
    return queued;
  });
  return sendAtOnce(id, endpointId, now);
}

/** Sends a test event. Returns the delivery after its first try. Throws a PortalError (403, 404), and (429) after too many. */
export const sendTest = (user: SessionUser, endpointId: number, now = new Date()): Promise<WebhookDelivery> =>
  sendByHand(
    user,
    endpointId,
    async (trx, endpoint) => {
      const at = now.toISOString();
      const test = { event: TEST_EVENT, at, source: `test:${newMessageId()}`, data: { endpointId } } as const;
      const id = await insertDelivery(trx, deliveryOf(endpointId, test, now));
      return { id, event: "webhook.test-sent", message: `Sent a test event to ${endpointName(endpoint)}.` };
    },
    now,
  );

/** Sends a delivery again, with the same id and content. Its tries begin again. Throws the same errors as `sendTest`. */
export const sendWebhookAgain = (
  user: SessionUser,
  { endpointId, id }: { endpointId: number; id: number },
  now = new Date(),
): Promise<WebhookDelivery> =>
  sendByHand(
    user,
    endpointId,
    async (trx, endpoint) => {
      const delivery = await findDelivery(trx, { id, endpointId });
      if (!delivery) throw notFound();
      const isWaiting = delivery.deliveredAt === null && delivery.givenUpAt === null;
      if (!isWaiting) await restartDelivery(trx, id, now);
      const message = `Sent ${delivery.event} (${delivery.messageId}) to ${endpointName(endpoint)} again.`;
      return { id, event: "webhook.sent-again", message };
    },
    now,
  );

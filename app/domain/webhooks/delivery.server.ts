import { setTimeout as sleep } from "node:timers/promises";
import { CLOCK_TOLERANCE_MS } from "~/lib/clock";
import { log } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { claimDeliveries, storeOutcome, type WebhookDelivery } from "~db/repositories/webhook-deliveries.server";
import { lockEndpoint, updateEndpoint, type WebhookEndpoint } from "~db/repositories/webhook-endpoints.server";
import { inTransaction } from "~db/transaction.server";
import { pauseByPortal } from "./pausing.server";
import { postWebhook, WEBHOOK_TIMEOUT_MS, WebhookProblem } from "./request.server";
import { nextTry } from "./retry.policy";
import { signedHeaders } from "./signing.server";

/** How long a delivery is leased to the process that sends it, in milliseconds: longer than a try, even with a clock that is ahead. */
const LEASE_MS = WEBHOOK_TIMEOUT_MS * 2 + CLOCK_TOLERANCE_MS;

/** To how many endpoints the portal sends at the same time. Each of them gets one request at a time. */
export const ENDPOINTS_AT_ONCE = 20;

/** For how long a run begins further tries, in milliseconds. What is due then is left to the next run. */
const RUN_MS = 30_000;

/** How often a run that waits for slow receivers looks for what has become due for others, in milliseconds. */
const LOOK_MS = 1000;

const GONE = 410;

/** The outcome of one try. */
interface Tried {
  status: number | null;
  /** Null when the receiver has accepted the message. */
  error: string | null;
  retryAfterMs: number | null;
}

/** Returns why an answer is no success, as a sentence. */
function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered with ${status}. Redirects are not followed.`;
  if (status === GONE) return "The receiver answered with 410: it wants nothing more.";
  return `The receiver answered with ${status}.`;
}

async function tryOnce(endpoint: WebhookEndpoint, delivery: WebhookDelivery, now: Date): Promise<Tried> {
  try {
    const headers = signedHeaders(endpoint, delivery, now);
    const { status, retryAfterMs } = await postWebhook(endpoint.url, headers, delivery.body, now);
    return { status, error: errorOf(status), retryAfterMs };
  } catch (error) {
    if (!(error instanceof WebhookProblem)) log().error({ delivery: delivery.id, err: error }, "a webhook failed");
    const message = error instanceof Error ? error.message : String(error);
    return { status: null, error: message, retryAfterMs: null };
  }
}

/** Returns why an endpoint is to be paused after a failed try, as a sentence, or null. */
function whyPause(
  { deliveredAt }: WebhookEndpoint,
  { begunAt }: WebhookDelivery,
  status: number | null,
  isLast: boolean,
) {
  if (status === GONE) return "The receiver answered with 410, which means that it wants nothing more.";
  const hasWorked = deliveredAt !== null && deliveredAt > begunAt;
  return isLast && !hasWorked ? "Nothing could be delivered for three days." : null;
}

/** Records a try and, when it was the last, gives the delivery up and may pause the endpoint. */
async function recordTry(delivery: WebhookDelivery, tried: Tried, now: Date): Promise<void> {
  const { status: statusCode, error } = tried;
  const lastError = error?.slice(0, 500) ?? null;
  const next = error === null || statusCode === GONE ? null : nextTry(delivery, tried.retryAfterMs, now);
  await inTransaction(async (trx) => {
    const endpoint = await lockEndpoint(trx, delivery.endpointId);
    if (endpoint === null) return;
    await updateEndpoint(trx, endpoint.id, error === null ? { deliveredAt: now } : { failedAt: now });
    const end = error === null ? { deliveredAt: now } : next === null ? { givenUpAt: now } : { nextAttemptAt: next };
    if (!(await storeOutcome(trx, delivery, { statusCode, lastError, ...end }))) return;
    const why = error === null ? null : whyPause(endpoint, delivery, statusCode, next === null);
    if (why !== null && endpoint.pausedAt === null) await pauseByPortal(trx, endpoint, why, now);
  });
}

async function deliver(delivery: WebhookDelivery, clock: () => Date): Promise<void> {
  const endpoint = await inTransaction((trx) => lockEndpoint(trx, delivery.endpointId));
  if (endpoint !== null) await recordTry(delivery, await tryOnce(endpoint, delivery, clock()), clock());
}

/** Returns a clock that goes on from this time. */
function clockFrom(begin: Date): () => Date {
  const offset = begin.getTime() - Date.now();
  return () => new Date(Date.now() + offset);
}

/** Sends one delivery now, unless it is being sent. Never throws for a failed try. */
export async function deliverNow(id: number, begin: Date): Promise<void> {
  const clock = clockFrom(begin);
  const until = new Date(begin.getTime() + LEASE_MS);
  const claimed = await claimDeliveries(getDb(), { id, busy: [], now: begin, until, limit: 1 });
  await Promise.all(claimed.map((delivery) => deliver(delivery, clock)));
}

/**
 * Sends what is due. The endpoints do not wait for each other, and each gets its messages one after the other. Each delivery is leased to
 * one process. Never throws for a failed try: the reason is stored, and the delivery is tried again later or given up.
 *
 * @returns How many tries there were.
 */
export async function deliverWebhooks(begin: Date): Promise<number> {
  const clock = clockFrom(begin);
  const running = new Map<number, Promise<void>>();
  let tried = 0;
  for (;;) {
    const now = clock();
    const limit = ENDPOINTS_AT_ONCE - running.size;
    const busy = [...running.keys()];
    const claim = { busy, now, until: new Date(now.getTime() + LEASE_MS), limit };
    const isOver = limit === 0 || now.getTime() - begin.getTime() > RUN_MS;
    const claimed = isOver ? [] : await claimDeliveries(getDb(), claim);
    tried += claimed.length;
    for (const delivery of claimed) {
      const sending = deliver(delivery, clock).finally(() => running.delete(delivery.endpointId));
      running.set(delivery.endpointId, sending);
    }
    if (running.size > 0) await Promise.race([...running.values(), sleep(LOOK_MS)]);
    // An endpoint that ended its try during the claim was left out of it, and may have more.
    else if (isOver || busy.length === 0) return tried;
  }
}

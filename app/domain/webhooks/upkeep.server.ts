import { inPortions } from "~/domain/jobs/portions.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { deleteDeliveries, giveUpPaused, insertDeliveries } from "~db/repositories/webhook-deliveries.server";
import { listAllEndpoints, type WebhookEndpoint } from "~db/repositories/webhook-endpoints.server";
import { listEndingCertificates } from "~db/repositories/webhook-events.server";
import { DELIVERIES_KEPT_DAYS, EXPIRING, readDayNumbers, readEvents } from "./events";
import { certificatePayload, deliveryOf } from "./payload.server";
import { TRIED_FOR_MS } from "./retry.policy";

/**
 * How many days after its time the event is still sent, when the portal did not run. It is shorter than the time for which deliveries are
 * kept, whose rows show that the event was sent.
 */
const LATE_DAYS = 7;

/** Queues the event for the certificates that have this number of days left, since the endpoint was made. */
async function announceEnding({ id, companyId, createdAt }: WebhookEndpoint, days: number, now: Date): Promise<number> {
  const since = new Date(Math.max(addDays(now, -LATE_DAYS).getTime(), Date.parse(createdAt)));
  const window = { companyId, from: addDays(since, days), to: addDays(now, days) };
  const rows = (await listEndingCertificates(getDb(), window)).map((row) => {
    const at = addDays(new Date(row.expiryDate ?? ""), -days).toISOString();
    const data = { ...certificatePayload(row), daysBefore: days };
    return deliveryOf(id, { event: EXPIRING, at, source: `expiring:${row.id}:${days}`, data }, now);
  });
  return insertDeliveries(getDb(), rows);
}

/** Queues `certificate.expiring`, once for each endpoint, certificate and number of days. Returns how many deliveries were queued. */
export async function announceEndingCertificates(now: Date): Promise<number> {
  let queued = 0;
  for (const endpoint of await listAllEndpoints(getDb())) {
    if (!readEvents(endpoint.events).includes(EXPIRING)) continue;
    for (const days of readDayNumbers(endpoint.expiryDays)) queued += await announceEnding(endpoint, days, now);
  }
  return queued;
}

const PAUSED = "The webhook was paused for three days.";

/** Announces certificates that end soon, gives up what waited too long for a paused endpoint, and removes old deliveries. Returns what it did. */
export async function keepWebhooks(now: Date): Promise<string> {
  const announced = await announceEndingCertificates(now);
  const givenUp = await giveUpPaused(getDb(), new Date(now.getTime() - TRIED_FOR_MS), now, PAUSED);
  const before = addDays(now, -DELIVERIES_KEPT_DAYS);
  const removed = await inPortions((limit) => deleteDeliveries(getDb(), before, limit));
  return `${announced} announced, ${givenUp} given up, ${removed} removed`;
}

import { type SessionUser } from "~/domain/accounts/session-user";
import { notFound } from "~/lib/errors";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import {
  countDeliveries,
  findDelivery,
  listDeliveries,
  type WebhookDelivery,
} from "~db/repositories/webhook-deliveries.server";
import { findEndpoint, listEndpoints, type WebhookEndpoint } from "~db/repositories/webhook-endpoints.server";
import { type DeliveryListParams, readDayNumbers, readEvents, type WebhookEvent } from "./events";

/** An endpoint as pages show it. Times are ISO timestamps. */
export interface WebhookView {
  id: number;
  url: string;
  description: string;
  events: WebhookEvent[];
  /** The highest first. */
  expiryDays: number[];
  state: "Active" | "Failing" | "Paused";
  pausedAt: string | null;
  /** Why the portal paused it, as a sentence. */
  pausedWhy: string | null;
  createdAt: string;
  secretMadeAt: string;
  /** Until when the secret before the newest signs too. Null when it does not. */
  earlierEndsAt: string | null;
  deliveredAt: string | null;
  failedAt: string | null;
}

const isLater = (one: string | null, other: string | null) => one !== null && one > (other ?? "");

function toWebhookView(row: WebhookEndpoint, now: Date): WebhookView {
  const { secret: _, earlierSecret, companyId: _company, afterSequence: _after, ...shown } = row;
  const isOverlapping = earlierSecret !== null && isLater(row.earlierEndsAt, now.toISOString());
  return {
    ...shown,
    events: readEvents(row.events),
    expiryDays: readDayNumbers(row.expiryDays),
    earlierEndsAt: isOverlapping ? row.earlierEndsAt : null,
    state: row.pausedAt !== null ? "Paused" : isLater(row.failedAt, row.deliveredAt) ? "Failing" : "Active",
  };
}

/** Returns the webhooks of the company in which the user works, oldest first. */
export const listWebhooksFor = async ({ companyId }: SessionUser, now = new Date()): Promise<WebhookView[]> =>
  (await listEndpoints(getDb(), companyId)).map((row) => toWebhookView(row, now));

/** Returns one of the webhooks of `listWebhooksFor`. Throws a PortalError (404) when there is no such webhook. */
export async function getWebhookFor({ companyId }: SessionUser, id: number, now = new Date()): Promise<WebhookView> {
  const row = await findEndpoint(getDb(), { id, companyId });
  if (!row) throw notFound();
  return toWebhookView(row, now);
}

/** A delivery as pages show it. Times are ISO timestamps. */
export interface WebhookDeliveryView {
  id: number;
  messageId: string;
  event: string;
  state: "Delivered" | "Waiting" | "Failing" | "Given up";
  createdAt: string;
  attempts: number;
  triedAt: string | null;
  /** When it is tried again. Null when it is not. */
  nextAttemptAt: string | null;
  statusCode: number | null;
  lastError: string | null;
}

function stateOfDelivery({ deliveredAt, givenUpAt, lastError }: Omit<WebhookDelivery, "body">) {
  if (deliveredAt !== null) return "Delivered";
  if (givenUpAt !== null) return "Given up";
  return lastError === null ? "Waiting" : "Failing";
}

export function toDeliveryView(row: Omit<WebhookDelivery, "body">): WebhookDeliveryView {
  const { id, messageId, event, createdAt, attempts, triedAt, statusCode, lastError } = row;
  const state = stateOfDelivery(row);
  const nextAttemptAt = state === "Waiting" || state === "Failing" ? row.nextAttemptAt : null;
  return { id, messageId, event, state, createdAt, attempts, triedAt, nextAttemptAt, statusCode, lastError };
}

/** Returns one page of what was or is to be sent to a webhook, the latest first. */
export async function loadDeliveries(endpointId: number, { size, sort, ...wanted }: DeliveryListParams) {
  const total = await countDeliveries(getDb(), endpointId);
  const pages = pagesOf(total, size);
  const page = Math.min(wanted.page, pages);
  const rows = await listDeliveries(getDb(), endpointId, { offset: (page - 1) * size, limit: size });
  return { rows: rows.map(toDeliveryView), total, pages, params: { page, size, sort } };
}

/** Returns a delivery to one of the company's webhooks, with its body. Throws a PortalError (404) when there is none. */
export async function getDeliveryFor(user: SessionUser, endpointId: number, id: number) {
  const webhook = await getWebhookFor(user, endpointId);
  const row = await findDelivery(getDb(), { id, endpointId });
  if (!row) throw notFound();
  return { webhook, delivery: { ...toDeliveryView(row), body: row.body } };
}

import { type SessionUser } from "~/domain/accounts/session-user";
import { consumeTry } from "~/domain/limits/tries.server";
import { findHead } from "~db/repositories/audit-chain.server";
import { makeDeliveriesDue } from "~db/repositories/webhook-deliveries.server";
import {
  deleteEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from "~db/repositories/webhook-endpoints.server";
import { inTransaction } from "~db/transaction.server";
import { EXPIRING, MOST_ENDPOINTS, OVERLAP_HOURS } from "./events";
import {
  endpointName,
  recordWebhook,
  requireEndpoint,
  requireOwnWebhooks,
  requireWebhookOwner,
  webhookRefusal,
} from "./managing.server";
import { newWebhookSecret, sealWebhookSecret } from "./signing.server";
import { findWebhookTarget, readWebhookUrl, WebhookTargetProblem } from "./target.server";
import { type WebhookForm } from "./webhooks.schema";

/** The secret of an endpoint, which is shown only once. */
export interface ShownWebhookSecret {
  id: number;
  secret: string;
}

/** Returns the columns of a form. Throws a PortalError for the field `url` when nothing can be sent to the address. */
async function columnsOfForm(user: SessionUser, { url: typed, description, events, expiryDays }: WebhookForm) {
  requireOwnWebhooks(user);
  await consumeTry("webhook-company", user.companyId);
  try {
    const url = readWebhookUrl(typed);
    await findWebhookTarget(url);
    const days = events.includes(EXPIRING) ? expiryDays.join(" ") : "";
    return { url: url.href, description, events: events.join(" "), expiryDays: days };
  } catch (error) {
    if (error instanceof WebhookTargetProblem) throw webhookRefusal(error.message, "url");
    throw error;
  }
}

const eventsText = ({ events, expiryDays }: { events: string; expiryDays: string }) =>
  `${events.replaceAll(" ", ", ")}${expiryDays ? ` (${expiryDays.replaceAll(" ", ", ")} days before)` : ""}`;

/**
 * Makes an endpoint for the user's company. It is told of what happens from now on. Throws a PortalError (403) when the user may not, and
 * one for the field that is wrong.
 */
export async function createWebhook(
  user: SessionUser,
  form: WebhookForm,
  now = new Date(),
): Promise<ShownWebhookSecret> {
  const columns = await columnsOfForm(user, form);
  return inTransaction(async (trx) => {
    await requireWebhookOwner(trx, user, now);
    const all = await listEndpoints(trx, user.companyId);
    if (all.some(({ url }) => url === columns.url))
      throw webhookRefusal(
        "Your company has a webhook with this address. Its secret was shown when it was made.",
        "url",
      );
    if (all.length >= MOST_ENDPOINTS)
      throw webhookRefusal(`A company has ${MOST_ENDPOINTS} webhooks at most. Remove one first.`);
    const afterSequence = (await findHead(trx))?.sequence ?? 0;
    const made = { companyId: user.companyId, createdAt: now, secretMadeAt: now, afterSequence };
    const id = await insertEndpoint(trx, { ...columns, ...made, secret: "" });
    const secret = newWebhookSecret();
    await updateEndpoint(trx, id, { secret: sealWebhookSecret(secret, id) });
    const message = `Made ${endpointName({ id, url: columns.url })}: ${eventsText(columns)}.`;
    await recordWebhook(trx, user, { event: "webhook.created", message }, now);
    return { id, secret };
  });
}

/** Changes the address, description and events of an endpoint. Throws the same errors as `createWebhook`, and (404) for another endpoint. */
export async function changeWebhook(user: SessionUser, id: number, form: WebhookForm, now = new Date()): Promise<void> {
  const columns = await columnsOfForm(user, form);
  await inTransaction(async (trx) => {
    await requireWebhookOwner(trx, user, now);
    const endpoint = await requireEndpoint(trx, user, id);
    const others = (await listEndpoints(trx, user.companyId)).filter((one) => one.id !== id);
    if (others.some(({ url }) => url === columns.url))
      throw webhookRefusal("Your company has another webhook with this address.", "url");
    await updateEndpoint(trx, id, columns);
    const from = endpoint.url === columns.url ? "" : ` It was ${endpointName(endpoint)} before.`;
    const message = `Changed ${endpointName({ id, url: columns.url })}: ${eventsText(columns)}.${from}`;
    await recordWebhook(trx, user, { event: "webhook.changed", message }, now);
  });
}

/**
 * Gives an endpoint a new secret. The one before it signs too for OVERLAP_HOURS, so that the receiver has time to change. Throws a
 * PortalError when the newest secret is not the one of `seen`, so that a form sent twice makes one secret, and those of `changeWebhook`.
 */
export async function renewWebhookSecret(
  user: SessionUser,
  id: number,
  seen: string,
  now = new Date(),
): Promise<ShownWebhookSecret> {
  return inTransaction(async (trx) => {
    await requireWebhookOwner(trx, user, now);
    const endpoint = await requireEndpoint(trx, user, id);
    if (endpoint.secretMadeAt !== seen)
      throw webhookRefusal("The webhook got a new secret meanwhile. It was shown when it was made.");
    const secret = newWebhookSecret();
    await updateEndpoint(trx, id, {
      secret: sealWebhookSecret(secret, id),
      secretMadeAt: now,
      earlierSecret: endpoint.secret,
      earlierEndsAt: new Date(now.getTime() + OVERLAP_HOURS * 3_600_000),
    });
    const message = `Made a new secret for ${endpointName(endpoint)}. The one before it signs for ${OVERLAP_HOURS} more hours.`;
    await recordWebhook(trx, user, { event: "webhook.secret-made", message }, now);
    return { id, secret };
  });
}

/** Pauses an endpoint or resumes it. Nothing is recorded when it is so already. Throws a PortalError (403, 404) as `changeWebhook` does. */
export async function pauseWebhook(user: SessionUser, id: number, isPaused: boolean, now = new Date()): Promise<void> {
  await inTransaction(async (trx) => {
    await requireWebhookOwner(trx, user, now);
    const endpoint = await requireEndpoint(trx, user, id);
    if ((endpoint.pausedAt !== null) === isPaused) return;
    await updateEndpoint(trx, id, { pausedAt: isPaused ? now : null, pausedWhy: null });
    if (!isPaused) await makeDeliveriesDue(trx, id, now);
    const [verb, event] = isPaused ? ["Paused", "webhook.paused"] : ["Resumed", "webhook.resumed"];
    await recordWebhook(trx, user, { event, message: `${verb} ${endpointName(endpoint)}.` }, now);
  });
}

/** Removes an endpoint with all its deliveries. Throws a PortalError (403, 404) as `changeWebhook` does. */
export async function removeWebhook(user: SessionUser, id: number, now = new Date()): Promise<void> {
  await inTransaction(async (trx) => {
    await requireWebhookOwner(trx, user, now);
    const endpoint = await requireEndpoint(trx, user, id);
    await deleteEndpoint(trx, id);
    await recordWebhook(trx, user, { event: "webhook.removed", message: `Removed ${endpointName(endpoint)}.` }, now);
  });
}

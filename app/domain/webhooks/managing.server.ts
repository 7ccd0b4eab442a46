import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { requireMember } from "~/domain/companies/membership.server";
import { notFound, PortalError } from "~/lib/errors";
import { type Trx } from "~db/connection.server";
import { lockCompany } from "~db/repositories/members.server";
import { findEndpoint, type WebhookEndpoint } from "~db/repositories/webhook-endpoints.server";

/** Returns the error for a change of a webhook that is not possible, at this field of the form if there is one. */
export const webhookRefusal = (message: string, field?: string) =>
  new PortalError(message, { code: "webhook", ...(field && { field }) });

/** Throws a PortalError (403) for an acting administrator. */
export const requireOwnWebhooks = (user: SessionUser): void => requireNoImpersonation(user, "webhooks");

/**
 * Begins a change of webhooks: locks what decides whether the user may make it. Throws a PortalError (403) when the user is no owner of the
 * company, and when an administrator acts as the user.
 */
export async function requireWebhookOwner(trx: Trx, user: SessionUser, now: Date): Promise<void> {
  requireOwnWebhooks(user);
  await lockCompany(trx, user.companyId, now);
  await requireMember(trx, user, user, "manage-company");
}

/** Returns an endpoint of the user's company. Throws a PortalError (404) when there is none with this id. */
export async function requireEndpoint(trx: Trx, { companyId }: SessionUser, id: number): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(trx, { id, companyId });
  if (!endpoint) throw notFound();
  return endpoint;
}

/** Returns how audit entries and messages name an endpoint: without its path, which may contain a secret of the receiver. */
export const endpointName = ({ id, url }: Pick<WebhookEndpoint, "id" | "url">): string =>
  `webhook ${id} (${new URL(url).origin})`;

/** Records what an owner did with an endpoint. */
export const recordWebhook = (
  trx: Trx,
  user: SessionUser,
  { event, message }: { event: string; message: string },
  now: Date,
): Promise<void> => recordAudit(trx, { actor: user.actor, event, message, userId: user.id }, now);

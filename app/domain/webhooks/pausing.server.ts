import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { webhookPausedMail } from "~/domain/mail/templates/webhooks.server";
import { accountPaths } from "~/lib/account-paths";
import { getEnv } from "~/lib/env.server";
import { type Trx } from "~db/connection.server";
import { findCompany } from "~db/repositories/companies.server";
import { listMembers } from "~db/repositories/members.server";
import { updateEndpoint, type WebhookEndpoint } from "~db/repositories/webhook-endpoints.server";
import { endpointName } from "./managing.server";

/**
 * Pauses an endpoint to which nothing can be delivered, records it, and tells the owners of the company.
 * @param why A sentence.
 */
export async function pauseByPortal(trx: Trx, endpoint: WebhookEndpoint, why: string, now: Date): Promise<void> {
  const { id, companyId, url } = endpoint;
  await updateEndpoint(trx, id, { pausedAt: now, pausedWhy: why });
  const message = `Paused ${endpointName(endpoint)}. ${why}`;
  await recordAudit(trx, { actor: systemActor("webhooks"), event: "webhook.paused", message }, now);
  const company = (await findCompany(trx, companyId))?.name ?? "";
  for (const { id: userId, firstName, role, isDisabled } of await listMembers(trx, companyId)) {
    if (role !== "owner" || isDisabled) continue;
    const page = getEnv().publicUrl + accountPaths.webhook(id);
    const mail = webhookPausedMail({ name: firstName, company, host: new URL(url).host, why, url: page });
    await queueOwnMail(trx, userId, { dedupeKey: `webhook-paused:${id}:${userId}:${now.getTime()}`, mail }, now);
  }
}

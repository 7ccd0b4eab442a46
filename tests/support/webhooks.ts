import { sealWebhookSecret } from "~/domain/webhooks/signing.server";
import { getDb } from "~db/connection.server";
import { insertDelivery } from "~db/repositories/webhook-deliveries.server";
import { insertEndpoint, updateEndpoint } from "~db/repositories/webhook-endpoints.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";

/** An address that the portal may connect to. Nothing is sent to it, because the test that saves it does not run the job. */
const PUBLIC_URL = "https://8.8.8.8/hook";

/** Returns the fields of the form of a webhook. */
export const webhookFields = () => ({
  url: PUBLIC_URL,
  description: "Certificate store",
  events: "certificate.issued",
  expiryDays: "30, 7",
});

/** Stores a webhook of a company without checking its address. Returns its id. */
export const storeWebhook = (
  { companyId }: { companyId: number },
  given: Partial<NewRow<"webhookEndpoints">> = {},
): Promise<number> =>
  inTransaction(async (trx) => {
    const now = new Date();
    const row = { companyId, createdAt: now, secretMadeAt: now, afterSequence: 0, expiryDays: "30 7", secret: "" };
    const { url, description } = webhookFields();
    const events = "certificate.issued certificate.expiring";
    const id = await insertEndpoint(trx, { ...row, url, description, events, ...given });
    await updateEndpoint(trx, id, { secret: sealWebhookSecret("whsec_c2VjcmV0", id) });
    return id;
  });

let deliveries = 0;

/** Stores something that is to be sent to a webhook in an hour. Returns its id. */
export const storeDelivery = (endpointId: number, given: Partial<NewRow<"webhookDeliveries">> = {}): Promise<number> =>
  inTransaction((trx) => {
    const now = new Date();
    const source = `test:${(deliveries += 1)}`;
    const what = { endpointId, source, messageId: `msg_${source}`, event: "certificate.issued", body: "{}" };
    const nextAttemptAt = new Date(now.getTime() + 3_600_000);
    return insertDelivery(trx, { ...what, createdAt: now, begunAt: now, nextAttemptAt, ...given });
  });

/** Returns a webhook as the database has it. */
export const webhookRow = (id: number) =>
  getDb().selectFrom("webhookEndpoints").selectAll().where("id", "=", id).executeTakeFirst();

import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type WebhookEndpoint = Row<"webhookEndpoints">;

/** Returns the endpoints of a company, oldest first. */
export const listEndpoints = (db: DbOrTrx, companyId: number): Promise<WebhookEndpoint[]> =>
  db.selectFrom("webhookEndpoints").selectAll().where("companyId", "=", companyId).orderBy("id").execute();

/** Returns the endpoints of all companies, oldest first. */
export const listAllEndpoints = (db: DbOrTrx): Promise<WebhookEndpoint[]> =>
  db.selectFrom("webhookEndpoints").selectAll().orderBy("id").execute();

/** Returns an endpoint of a company, or null. */
export const findEndpoint = async (
  db: DbOrTrx,
  { id, companyId }: Pick<WebhookEndpoint, "id" | "companyId">,
): Promise<WebhookEndpoint | null> =>
  (await db
    .selectFrom("webhookEndpoints")
    .selectAll()
    .where("id", "=", id)
    .where("companyId", "=", companyId)
    .executeTakeFirst()) ?? null;

/** Returns an endpoint and locks its row until the end of the transaction, or null when it was removed. */
export async function lockEndpoint(trx: Trx, id: number): Promise<WebhookEndpoint | null> {
  const query = trx.selectFrom("webhookEndpoints").selectAll().where("id", "=", id);
  const locked = getConnection().dialect === "postgres" ? query.forUpdate() : query;
  return (await locked.executeTakeFirst()) ?? null;
}

export const insertEndpoint = async (trx: Trx, endpoint: NewRow<"webhookEndpoints">): Promise<number> =>
  (await trx.insertInto("webhookEndpoints").values(endpoint).returning("id").executeTakeFirstOrThrow()).id;

type EndpointChange = Partial<Omit<NewRow<"webhookEndpoints">, "id" | "companyId" | "createdAt" | "afterSequence">>;

export async function updateEndpoint(db: DbOrTrx, id: number, change: EndpointChange): Promise<void> {
  await db.updateTable("webhookEndpoints").set(change).where("id", "=", id).execute();
}

/** Deletes an endpoint and all that was or is to be sent to it. */
export async function deleteEndpoint(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom("webhookEndpoints").where("id", "=", id).execute();
}

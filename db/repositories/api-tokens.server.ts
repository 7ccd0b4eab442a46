import { type DbOrTrx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export async function insertApiToken(db: DbOrTrx, token: NewRow<"apiTokens">): Promise<void> {
  await db.insertInto("apiTokens").values(token).execute();
}

/** Returns the ticket with this hash if it has not expired, otherwise null. */
export async function findTicket(db: DbOrTrx, tokenHash: string, now: Date): Promise<Row<"apiTokens"> | null> {
  const row = await db
    .selectFrom("apiTokens")
    .selectAll()
    .where("tokenHash", "=", tokenHash)
    .where("kind", "=", "ticket")
    .where("expiresAt", ">", now.toISOString())
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a ticket up and returns it, or returns null when it is unknown, used or expired. */
export async function takeTicket(db: DbOrTrx, tokenHash: string, now: Date): Promise<Row<"apiTokens"> | null> {
  const row = await db
    .deleteFrom("apiTokens")
    .where("tokenHash", "=", tokenHash)
    .where("kind", "=", "ticket")
    .returningAll()
    .executeTakeFirst();
  return row && Date.parse(row.expiresAt) > now.getTime() ? row : null;
}

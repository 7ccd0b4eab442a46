import { type DbOrTrx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export async function insertApiToken(db: DbOrTrx, token: NewRow<"apiTokens">): Promise<void> {
  await db.insertInto("apiTokens").values(token).execute();
}

/** Returns the access token (`bearer`) or ticket with this hash if it has not expired, otherwise null. */
export async function findApiToken(
  db: DbOrTrx,
  kind: Row<"apiTokens">["kind"],
  tokenHash: string,
  now: Date,
): Promise<Row<"apiTokens"> | null> {
  const row = await db
    .selectFrom("apiTokens")
    .selectAll()
    .where("tokenHash", "=", tokenHash)
    .where("kind", "=", kind)
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

/** Deletes an access token, and the tokens with which its administrator acts as another user. */
export async function deleteBearer(db: DbOrTrx, tokenHash: string): Promise<void> {
  await db
    .deleteFrom("apiTokens")
    .where((eb) => eb.or([eb("tokenHash", "=", tokenHash), eb("parentHash", "=", tokenHash)]))
    .execute();
}

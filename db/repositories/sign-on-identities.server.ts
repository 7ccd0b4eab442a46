import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

/** Returns who an identity of the identity provider is here, or null. */
export const findIdentity = async (
  db: DbOrTrx,
  { issuer, subject }: Pick<Row<"signOnIdentities">, "issuer" | "subject">,
): Promise<Row<"signOnIdentities"> | null> =>
  (await db
    .selectFrom("signOnIdentities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst()) ?? null;

/** Returns whether an account has an identity at this issuer. */
export async function hasIdentity(db: DbOrTrx, userId: number, issuer: string): Promise<boolean> {
  const query = db.selectFrom("signOnIdentities").select("subject").where("userId", "=", userId);
  return (await query.where("issuer", "=", issuer).limit(1).executeTakeFirst()) !== undefined;
}

/** Links an identity with an account. Returns false when another request was faster. */
export async function insertIdentity(trx: Trx, identity: NewRow<"signOnIdentities">): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("signOnIdentities")
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the identities of an account, oldest first. */
export const listIdentities = (db: DbOrTrx, userId: number): Promise<Row<"signOnIdentities">[]> =>
  db.selectFrom("signOnIdentities").selectAll().where("userId", "=", userId).orderBy("linkedAt").execute();

/** Unlinks all identities of an account. Returns whether it had any. */
export async function deleteIdentities(trx: Trx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("signOnIdentities").where("userId", "=", userId).executeTakeFirst();
  return numDeletedRows > 0n;
}

import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type CodeContactRow = Row<"codeContacts">;

/** Returns the contacts of a code in the order in which they were added. */
export const listCodeContacts = (db: DbOrTrx, codeId: number): Promise<CodeContactRow[]> =>
  db.selectFrom("codeContacts").selectAll().where("codeId", "=", codeId).orderBy("id").execute();

export async function insertCodeContact(trx: Trx, contact: NewRow<"codeContacts">): Promise<void> {
  await trx.insertInto("codeContacts").values(contact).execute();
}

export async function updateCodeContact(trx: Trx, id: number, contact: NewRow<"codeContacts">): Promise<void> {
  await trx.updateTable("codeContacts").set(contact).where("id", "=", id).execute();
}

export async function deleteCodeContact(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom("codeContacts").where("id", "=", id).execute();
}

import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow } from "../tables";

/** Stores what a member of staff has noted about a company. */
export async function insertCompanyNote(trx: Trx, note: NewRow<"companyNotes">): Promise<void> {
  await trx.insertInto("companyNotes").values(note).execute();
}

/** Returns the notes about a company with the names of those who wrote them, the latest first. */
export const companyNotesQuery = (db: DbOrTrx, companyId: number) =>
  db
    .selectFrom("companyNotes")
    .innerJoin("users", "users.id", "companyNotes.writtenBy")
    .select(["companyNotes.id", "companyNotes.text", "companyNotes.writtenAt", "users.firstName", "users.lastName"])
    .where("companyNotes.companyId", "=", companyId)
    .orderBy("companyNotes.id", "desc");

export const listCompanyNotes = (db: DbOrTrx, companyId: number) => companyNotesQuery(db, companyId).execute();

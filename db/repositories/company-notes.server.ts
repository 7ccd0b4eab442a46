import { type Direction } from "~/lib/list-params";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type NewRow } from "../tables";

/** Stores what a member of staff has noted about a company. */
export async function insertCompanyNote(trx: Trx, note: NewRow<"companyNotes">): Promise<void> {
  await trx.insertInto("companyNotes").values(note).execute();
}

/** Returns whether this person has noted the same about the company after the note with the id `seen`. */
export async function hasNoteSince(
  trx: Trx,
  { companyId, writtenBy, text }: { companyId: number; writtenBy: number; text: string },
  seen: number,
): Promise<boolean> {
  const same = trx
    .selectFrom("companyNotes")
    .select("id")
    .where("companyId", "=", companyId)
    .where("writtenBy", "=", writtenBy)
    .where("text", "=", text)
    .where("id", ">", seen);
  return (await same.limit(1).executeTakeFirst()) !== undefined;
}

interface NoteWindow {
  direction: Direction;
  offset: number;
  limit: number;
}

/** Returns the statement of `listCompanyNotes`. */
export const companyNotesQuery = (db: DbOrTrx, companyId: number, { direction, offset, limit }: NoteWindow) =>
  db
    .selectFrom("companyNotes")
    .innerJoin("users", "users.id", "companyNotes.writtenBy")
    .select(["companyNotes.id", "companyNotes.text", "companyNotes.writtenAt", "users.firstName", "users.lastName"])
    .where("companyNotes.companyId", "=", companyId)
    .orderBy("companyNotes.id", direction)
    .limit(limit)
    .offset(offset);

/** Returns some of the notes about a company with the names of those who wrote them, in the order of time. */
export const listCompanyNotes = (db: DbOrTrx, companyId: number, window: NoteWindow) =>
  companyNotesQuery(db, companyId, window).execute();

export const countCompanyNotes = async (db: DbOrTrx, companyId: number): Promise<number> =>
  (
    await db
      .selectFrom("companyNotes")
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .where("companyId", "=", companyId)
      .executeTakeFirstOrThrow()
  ).total;

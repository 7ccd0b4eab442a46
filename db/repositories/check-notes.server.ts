import { type DbOrTrx } from "../connection.server";

/** How many of the latest audit entries of an officer are searched. Reading a page must not take longer for officers of many years. */
const SEARCHED = 500;

/** How many of the latest orders with a check of the officer are read. */
const READ = 50;

/** The events of recorded checks. */
const CHECKED = ["certificate.contact-checked", "certificate.organisation-checked", "certificate.csr-checked"];

const COLUMNS = {
  contact: ["contactNote", "contactAnswerBy"],
  organisation: ["organisationNote", "organisationCheckedBy"],
  csr: ["csrNote", "csrCheckedBy"],
} as const;

type Notes = Record<keyof typeof COLUMNS, string[]>;

/** Returns the notes with which this officer recorded checks lately, latest first, by check. A note appears as often as it was used. */
export async function listCheckNotesBy(db: DbOrTrx, { id, email }: { id: number; email: string }): Promise<Notes> {
  const entries = await db
    .selectFrom("auditEntries")
    .select(["certificateId", "event"])
    .where("actorId", "=", id)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(SEARCHED)
    .execute();
  const found = entries.flatMap(({ certificateId, event }) => (CHECKED.includes(event) ? (certificateId ?? []) : []));
  const ids = [...new Set(found)].slice(0, READ);
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom("certificates")
          .select(["id", ...Object.values(COLUMNS).flat()])
          .where("id", "in", ids)
          .execute();
  const latestFirst = rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  const notes = ([note, by]: (typeof COLUMNS)[keyof typeof COLUMNS]) =>
    latestFirst.flatMap((row) => (row[by] === email ? (row[note] ?? []) : []));
  return { contact: notes(COLUMNS.contact), organisation: notes(COLUMNS.organisation), csr: notes(COLUMNS.csr) };
}

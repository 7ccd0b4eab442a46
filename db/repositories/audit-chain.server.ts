import { foldForSearch } from "~/lib/fold-text";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type AuditHead = Row<"auditHead">;
export type AuditRow = Row<"auditEntries">;
export type Checkpoint = Row<"auditCheckpoints">;

/** Stays below the number of values that either database accepts in one statement. */
const ROWS_AT_ONCE = 500;

/** Returns the head of the audit chain, or null when somebody has removed it. */
export const findHead = async (db: DbOrTrx): Promise<AuditHead | null> =>
  (await db.selectFrom("auditHead").selectAll().where("id", "=", 1).executeTakeFirst()) ?? null;

/**
 * Returns the head of the audit chain and locks it against every other transaction that adds entries, until this one ends. Nothing but
 * adding the entries may follow. SQLite needs no lock, because a transaction is the only writer. Throws an Error when the head is missing.
 */
export async function lockHead(trx: Trx): Promise<AuditHead> {
  const query = trx.selectFrom("auditHead").selectAll().where("id", "=", 1);
  const locked = getConnection().dialect === "postgres" ? query.forUpdate() : query;
  return locked.executeTakeFirstOrThrow(() => new Error("The audit trail's head is missing: nothing can be added."));
}

export async function moveHead(trx: Trx, head: Omit<AuditHead, "id">): Promise<void> {
  await trx.updateTable("auditHead").set(head).where("id", "=", 1).execute();
}

/** Returns the folded message, or null for an ASCII message, which the database converts to lower case itself. */
export const searchableMessage = (message: string): string | null =>
  /^\p{ASCII}*$/u.test(message) ? null : foldForSearch(message);

export async function insertEntries(trx: Trx, entries: readonly NewRow<"auditEntries">[]): Promise<void> {
  for (let from = 0; from < entries.length; from += ROWS_AT_ONCE)
    await trx
      .insertInto("auditEntries")
      .values(
        entries.slice(from, from + ROWS_AT_ONCE).map((row) => ({ ...row, searchText: searchableMessage(row.message) })),
      )
      .execute();
}

/** Returns sealed entries from this sequence on, in the order of the chain. */
export const listChain = (db: DbOrTrx, from: number, limit: number): Promise<AuditRow[]> =>
  db
    .selectFrom("auditEntries")
    .selectAll()
    .where("sequence", ">=", from)
    .orderBy("sequence")
    .orderBy("id")
    .limit(limit)
    .execute();

/** Returns entries outside the chain with ids after `afterId`, by id. A sound audit trail has none. */
export const listOutside = (db: DbOrTrx, afterId: number, limit: number): Promise<AuditRow[]> =>
  db
    .selectFrom("auditEntries")
    .selectAll()
    .where("sequence", "is", null)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();

/** Returns the checkpoints from this sequence on, in order. */
export const listCheckpoints = (db: DbOrTrx, from = 0): Promise<Checkpoint[]> =>
  db.selectFrom("auditCheckpoints").selectAll().where("sequence", ">=", from).orderBy("sequence").execute();

export const findLastCheckpoint = async (db: DbOrTrx): Promise<Checkpoint | null> =>
  (await db.selectFrom("auditCheckpoints").selectAll().orderBy("sequence", "desc").limit(1).executeTakeFirst()) ?? null;

/** Stores a checkpoint. Returns false when there already is one with this sequence. */
export async function insertCheckpoint(db: DbOrTrx, checkpoint: Checkpoint): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("auditCheckpoints")
    .values(checkpoint)
    .onConflict((conflict) => conflict.column("sequence").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns which of these entries are in the list of an erasure. */
export const listErasedEntries = async (db: DbOrTrx, ids: readonly number[]): Promise<Set<number>> =>
  ids.length === 0
    ? new Set()
    : new Set(
        (await db.selectFrom("auditErasures").select("entryId").where("entryId", "in", ids).execute()).map(
          ({ entryId }) => entryId,
        ),
      );

/** Returns the accounts with a list of erased entries. */
export const listErasedUsers = async (db: DbOrTrx): Promise<number[]> =>
  (await db.selectFrom("auditErasures").select("userId").distinct().orderBy("userId").execute()).map(
    ({ userId }) => userId,
  );

/** Returns the entries in the list of a person's erasure, in the order of the chain. An entry that is missing has no `sequence`. */
export const listErasuresOf = (db: DbOrTrx, userId: number) =>
  db
    .selectFrom("auditErasures")
    .leftJoin("auditEntries", "auditEntries.id", "auditErasures.entryId")
    .select(["auditErasures.entryId", "auditEntries.id", "auditEntries.sequence", "auditEntries.at"])
    .select("auditEntries.erasedSeal")
    .where("auditErasures.userId", "=", userId)
    .orderBy("auditEntries.sequence")
    .orderBy("auditErasures.entryId")
    .execute();

/** The event of the entries that seal the list of a person's erased entries. */
export const ERASURE_EVENT = "account.erased";

/** Returns the latest entry that seals the list of a person's erased entries, or null. */
export const findErasureEntry = async (db: DbOrTrx, userId: number): Promise<AuditRow | null> =>
  (await db
    .selectFrom("auditEntries")
    .selectAll()
    .where("userId", "=", userId)
    .where("event", "=", ERASURE_EVENT)
    .where("sequence", "is not", null)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst()) ?? null;

/** Replaces the personal data of an entry, destroys its salt and notes whose erasure it was. */
export async function eraseEntry(
  trx: Trx,
  { id, ...left }: Pick<AuditRow, "id" | "actorName" | "message" | "address" | "reference" | "erasedSeal">,
  userId: number,
): Promise<void> {
  const searchText = searchableMessage(left.message);
  await trx
    .updateTable("auditEntries")
    .set({ ...left, searchText, salt: null })
    .where("id", "=", id)
    .execute();
  await trx
    .insertInto("auditErasures")
    .values({ userId, entryId: id })
    .onConflict((conflict) => conflict.columns(["userId", "entryId"]).doNothing())
    .execute();
}

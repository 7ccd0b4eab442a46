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

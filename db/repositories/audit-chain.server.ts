import { foldForSearch } from "~/lib/fold-text";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow, type Row } from "../tables";

export type AuditHead = Row<"auditHead">;
export type AuditRow = Row<"auditEntries">;
export type Checkpoint = Row<"auditCheckpoints">;

/** Below the number of values that either database takes in one statement. */
const ROWS_AT_ONCE = 500;

/** Where the chain stands; null when somebody has removed it. */
export const findHead = async (db: DbOrTrx): Promise<AuditHead | null> =>
  (await db.selectFrom("auditHead").selectAll().where("id", "=", 1).executeTakeFirst()) ?? null;

/**
 * Where the chain stands, held against every other transaction that adds to it until this one ends: nothing but the adding itself may
 * follow. On SQLite every transaction is the only one that writes. Throws Error when the head is gone.
 */
export async function lockHead(trx: Trx): Promise<AuditHead> {
  const query = trx.selectFrom("auditHead").selectAll().where("id", "=", 1);
  const locked = getConnection().dialect === "postgres" ? query.forUpdate() : query;
  return locked.executeTakeFirstOrThrow(() => new Error("The audit trail's head is missing: nothing can be added."));
}

export async function moveHead(trx: Trx, head: Omit<AuditHead, "id">): Promise<void> {
  await trx.updateTable("auditHead").set(head).where("id", "=", 1).execute();
}

/** Returns the folded message, or null for a message of ASCII characters, of which the database makes small letters by itself. */
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

/** Entries from before the chain, in the order of their ids. */
export const listUnsealed = (trx: Trx, untilId: number, limit: number): Promise<AuditRow[]> =>
  trx
    .selectFrom("auditEntries")
    .selectAll()
    .where("sequence", "is", null)
    .where("id", "<=", untilId)
    .orderBy("id")
    .limit(limit)
    .execute();

export async function storeSeal(
  trx: Trx,
  { id, sequence, previous, mac, keyId }: Pick<AuditRow, "id" | "sequence" | "previous" | "mac" | "keyId">,
): Promise<void> {
  await trx.updateTable("auditEntries").set({ sequence, previous, mac, keyId }).where("id", "=", id).execute();
}

/** Sealed entries from this place on, in the chain's order. */
export const listChain = (db: DbOrTrx, from: number, limit: number): Promise<AuditRow[]> =>
  db
    .selectFrom("auditEntries")
    .selectAll()
    .where("sequence", ">=", from)
    .orderBy("sequence")
    .orderBy("id")
    .limit(limit)
    .execute();

/** Entries outside the chain although none is from before it: the first of them. */
export const listOutside = (db: DbOrTrx, afterId: number, limit: number): Promise<AuditRow[]> =>
  db
    .selectFrom("auditEntries")
    .selectAll()
    .where("sequence", "is", null)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();

/** The checkpoints from this place on, in its order. */
export const listCheckpoints = (db: DbOrTrx, from = 0): Promise<Checkpoint[]> =>
  db.selectFrom("auditCheckpoints").selectAll().where("sequence", ">=", from).orderBy("sequence").execute();

export const findLastCheckpoint = async (db: DbOrTrx): Promise<Checkpoint | null> =>
  (await db.selectFrom("auditCheckpoints").selectAll().orderBy("sequence", "desc").limit(1).executeTakeFirst()) ?? null;

/** Out: false when there is one of this place already. */
export async function insertCheckpoint(db: DbOrTrx, checkpoint: Checkpoint): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("auditCheckpoints")
    .values(checkpoint)
    .onConflict((conflict) => conflict.column("sequence").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

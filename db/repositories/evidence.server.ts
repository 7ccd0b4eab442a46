import { type DbOrTrx } from "../connection.server";
import { type AuditRow, type Checkpoint } from "./audit-chain.server";

/** Returns the first checkpoint at or after this entry, or null. */
export const findCheckpointFrom = async (db: DbOrTrx, sequence: number): Promise<Checkpoint | null> =>
  (await db
    .selectFrom("auditCheckpoints")
    .selectAll()
    .where("sequence", ">=", sequence)
    .orderBy("sequence")
    .limit(1)
    .executeTakeFirst()) ?? null;

/** Returns these entries, in the order of the chain. */
export const listEntriesInOrder = async (db: DbOrTrx, ids: readonly number[]): Promise<AuditRow[]> =>
  ids.length === 0
    ? []
    : db.selectFrom("auditEntries").selectAll().where("id", "in", ids).orderBy("sequence").execute();

/** Returns the certificates that these entries are about, and those of the orders that they are about; with `companyId`, only its own. */
export async function listCertificatesIn(
  db: DbOrTrx,
  ids: readonly number[],
  companyId: number | null,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const entries = await db
    .selectFrom("auditEntries")
    .select(["certificateId", "orderId"])
    .where("id", "in", ids)
    .execute();
  const found = await Promise.all(
    (
      [
        ["id", entries.flatMap(({ certificateId }) => certificateId ?? [])],
        ["orderId", entries.flatMap(({ orderId }) => orderId ?? [])],
      ] as const
    ).map(async ([column, named]) => {
      if (named.length === 0) return [];
      const query = db
        .selectFrom("certificates")
        .select("id")
        .where(column, "in", [...new Set(named)]);
      return (companyId === null ? query : query.where("companyId", "=", companyId)).execute();
    }),
  );
  return found.flat().map(({ id }) => id);
}

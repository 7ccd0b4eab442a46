import { type DbOrTrx, type Trx } from "../connection.server";

/** Stores that a revocation was asked for. A certificate is revoked once. */
export async function insertPublication(trx: Trx, certificateId: number, askedAt: Date): Promise<void> {
  await trx
    .insertInto("revocationPublications")
    .values({ certificateId, askedAt })
    .onConflict((conflict) => conflict.column("certificateId").doNothing())
    .execute();
}

/** How many rows one statement changes. */
const AT_ONCE = 500;

/** Stores when the revocations of these certificates were published. Those that were published before stay as they are. */
export async function setPublished(db: DbOrTrx, certificateIds: readonly number[], publishedAt: Date): Promise<void> {
  for (let from = 0; from < certificateIds.length; from += AT_ONCE)
    await db
      .updateTable("revocationPublications")
      .set({ publishedAt })
      .where("certificateId", "in", certificateIds.slice(from, from + AT_ONCE))
      .where("publishedAt", "is", null)
      .execute();
}

/** Returns the revocations that were asked for before a time and are not published, the oldest first. */
export const listUnpublished = (db: DbOrTrx, before: Date, limit: number) =>
  db
    .selectFrom("revocationPublications")
    .select(["certificateId", "askedAt"])
    .where("publishedAt", "is", null)
    .where("askedAt", "<", before.toISOString())
    .orderBy("askedAt")
    .limit(limit)
    .execute();

/** Returns the latest revocations that were published after `from`, the last one first. */
export async function listPublications(db: DbOrTrx, from: Date, limit: number) {
  const rows = await db
    .selectFrom("revocationPublications")
    .select(["askedAt", "publishedAt"])
    .where("publishedAt", ">", from.toISOString())
    .orderBy("publishedAt", "desc")
    .orderBy("certificateId", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ askedAt, publishedAt }) => ({ askedAt, publishedAt: publishedAt ?? "" }));
}

/** Deletes what was published before this time. */
export async function deleteOldPublications(db: DbOrTrx, before: Date): Promise<void> {
  await db.deleteFrom("revocationPublications").where("publishedAt", "<", before.toISOString()).execute();
}

import { type DbOrTrx, type Trx } from "../connection.server";
import { type CertificateStatus } from "../tables";

/** Statuses that end with the certificate itself; a requested revocation is carried out instead. */
const ENDING: readonly CertificateStatus[] = ["Issued", "Downloaded"];

/** Marks up to `limit` certificates that have ended as Expired. Out: the certificates changed. */
export function expireEndedCertificates(trx: Trx, now: Date, limit: number) {
  const ended = trx
    .selectFrom("certificates")
    .select("id")
    .where("status", "in", ENDING)
    .where("expiryDate", "<=", now.toISOString())
    .orderBy("id")
    .limit(limit);
  return trx
    .updateTable("certificates")
    .set({ status: "Expired", updatedAt: now })
    .where("id", "in", ended)
    .where("status", "in", ENDING)
    .returning(["id", "userId", "orderId", "commonName"])
    .execute();
}

/** Removes drafts, single-use links and rate limits that ended before `endedBefore`. Out: how many rows. */
export async function deleteEndedRows(db: DbOrTrx, endedBefore: Date): Promise<number> {
  const moment = endedBefore.toISOString();
  const results = [
    await db.deleteFrom("drafts").where("expiresAt", "<", moment).executeTakeFirst(),
    await db.deleteFrom("tokens").where("expiresAt", "<", moment).executeTakeFirst(),
    await db.deleteFrom("rateLimits").where("expire", "<", endedBefore.getTime()).executeTakeFirst(),
  ];
  return results.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
}

import { withTolerance } from "~/lib/clock";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type CertificateStatus } from "../tables";

/** Statuses that change to Expired when the certificate expires. A scheduled revocation is carried out instead. */
const ENDING: readonly CertificateStatus[] = ["Issued", "Downloaded"];

/** Marks up to `limit` certificates that have ended as Expired. Returns them. */
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

/**
 * Undoes the mark of up to `limit` certificates that a wrong clock marked as Expired before their end. They become Downloaded if their
 * owner had downloaded them, otherwise Issued. Returns them.
 */
export function reviveUnendedCertificates(trx: Trx, now: Date, limit: number) {
  const unended = trx
    .selectFrom("certificates")
    .select("id")
    .where("status", "=", "Expired")
    .where("expiryDate", ">", withTolerance(now).toISOString())
    .orderBy("id")
    .limit(limit);
  return trx
    .updateTable("certificates")
    .set((eb) => ({
      status: eb
        .case()
        .when("downloadedAt", "is not", null)
        .then("Downloaded" as CertificateStatus)
        .else("Issued" as CertificateStatus)
        .end(),
      updatedAt: now,
    }))
    .where("id", "in", unended)
    .where("status", "=", "Expired")
    .returning(["id", "userId", "orderId", "commonName"])
    .execute();
}

/** Deletes comparisons of keys that came with a CSR and were never used in an order. */
const forgetUnordered = (db: DbOrTrx, comparedBefore: string) =>
  db
    .deleteFrom("keyComparisons")
    .where("comparedAt", "<", comparedBefore)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("certificates")
            .select("certificates.id")
            .whereRef("certificates.keyIdentity", "=", "keyComparisons.keyIdentity"),
        ),
      ),
    );

/**
 * Deletes drafts, tokens, access tokens of people and API clients, idempotency keys, places of logins, sessions, nonces and unfinished orders
 * of ACME, and rate limits that expired before `endedBefore`, older comparisons of keys that no order uses, and domains that were never confirmed and whose challenge ended before
 * `domainsBefore`. Returns how many rows were deleted.
 */
export async function deleteEndedRows(
  db: DbOrTrx,
  endedBefore: Date,
  { domainsBefore = endedBefore }: { domainsBefore?: Date } = {},
): Promise<number> {
  const timestamp = endedBefore.toISOString();
  const results = [
    await db.deleteFrom("drafts").where("expiresAt", "<", timestamp).executeTakeFirst(),
    await db.deleteFrom("tokens").where("expiresAt", "<", timestamp).executeTakeFirst(),
    await db.deleteFrom("apiTokens").where("expiresAt", "<", timestamp).executeTakeFirst(),
    await db.deleteFrom("apiClientTokens").where("expiresAt", "<", timestamp).executeTakeFirst(),
    await db.deleteFrom("apiIdempotency").where("expiresAt", "<", timestamp).executeTakeFirst(),
    await db.deleteFrom("loginPlaces").where("expiresAt", "<", timestamp).executeTakeFirst(),
    await db.deleteFrom("sessions").where("expiresAt", "<", timestamp).executeTakeFirst(),
    await db.deleteFrom("acmeNonces").where("expiresAt", "<", timestamp).executeTakeFirst(),
    await db
      .deleteFrom("acmeOrders")
      .where("expiresAt", "<", timestamp)
      .where("orderId", "is", null)
      .executeTakeFirst(),
    await db
      .deleteFrom("companyDomains")
      .where("challengeEndsAt", "<", domainsBefore.toISOString())
      .where("confirmedAt", "is", null)
      .executeTakeFirst(),
    await forgetUnordered(db, timestamp).executeTakeFirst(),
    await db.deleteFrom("rateLimits").where("expire", "<", endedBefore.getTime()).executeTakeFirst(),
  ];
  return results.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
}

import { sql } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type CertificateStatus, type NewRow } from "../tables";

const COLUMNS = [
  "certificates.id",
  "certificates.commonName",
  "certificates.startDate",
  "certificates.expiryDate",
  "certificates.serialNumber",
  "certificates.thumbprintSha256",
  "certificates.status",
  "certificates.ssid",
  "certificates.authorityId",
  "certificates.previousCertificateId",
] as const;

/**
 * Returns the query of `listPublishedAt`. What is published is read apart from its conditions; otherwise a database might read all
 * certificates of the company to find the few.
 */
export const publishedAt = (
  db: DbOrTrx,
  codeIds: readonly number[],
  { statuses, now }: { statuses: readonly CertificateStatus[]; now: Date },
) =>
  db
    .with(
      (cte) => cte("published").materialized(),
      (whole) =>
        whole
          .selectFrom("entityCertificates")
          .innerJoin("certificates", "certificates.id", "entityCertificates.certificateId")
          .select(["entityCertificates.codeId", "entityCertificates.publishedAt", ...COLUMNS])
          .select(["entityCertificates.companyId as publisherId", "certificates.companyId"])
          .where("entityCertificates.codeId", "in", codeIds.length > 0 ? codeIds : [0]),
    )
    .selectFrom("published")
    .innerJoin("codes", "codes.id", "published.codeId")
    .selectAll("published")
    .where("codes.status", "=", "Registered")
    .whereRef("codes.companyId", "=", "published.publisherId")
    .whereRef("published.companyId", "=", "published.publisherId")
    .where("published.status", "in", statuses)
    .where("published.expiryDate", ">", now.toISOString())
    .orderBy("published.codeId")
    .orderBy("published.startDate", "desc")
    .orderBy("published.id", "desc");

/**
 * Returns the certificates with one of these statuses that are published at these entities while those are registered, the newest first. The
 * same company has to own both.
 */
export const listPublishedAt = (...args: Parameters<typeof publishedAt>) => publishedAt(...args).execute();

export type PublishedRow = Awaited<ReturnType<typeof listPublishedAt>>[number];

/** Returns the entities at which a certificate is published, whatever its state and theirs. */
export const listEntitiesOf = (db: DbOrTrx, certificateId: number) =>
  db
    .selectFrom("entityCertificates as published")
    .innerJoin("codes", "codes.id", "published.codeId")
    .selectAll("codes")
    .where("published.certificateId", "=", certificateId)
    .orderBy("published.id")
    .execute();

/** Returns the query of `listCarriers`, which reads the certificates with the OFTP ID apart from its other conditions. */
export const carriers = (
  db: DbOrTrx,
  { companyId, oftpId }: { companyId: number; oftpId: string },
  { statuses, now, limit }: { statuses: readonly CertificateStatus[]; now: Date; limit: number },
) =>
  db
    .with(
      (cte) => cte("carriers").materialized(),
      (whole) =>
        whole
          .selectFrom("certificates")
          .select(COLUMNS)
          .where("companyId", "=", companyId)
          .where("ssid", "is not", null)
          .where(sql`upper(ssid)`, "=", oftpId),
    )
    .selectFrom("carriers")
    .selectAll()
    .where("status", "in", statuses)
    .where("expiryDate", ">", now.toISOString())
    .orderBy("id", "desc")
    .limit(limit);

/** Returns the newest certificates of a company with one of these statuses that carry an OFTP ID, which is in upper case. */
export const listCarriers = (...args: Parameters<typeof carriers>) => carriers(...args).execute();

export type CarrierRow = Awaited<ReturnType<typeof listCarriers>>[number];

/** Publishes a certificate at an entity. Returns false when it is published there already. */
export async function insertEntityCertificate(trx: Trx, row: NewRow<"entityCertificates">): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("entityCertificates")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0n) > 0;
}

/** Ends the publication of a certificate at an entity. Returns false when it is not published there. */
export async function deleteEntityCertificate(trx: Trx, codeId: number, certificateId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("entityCertificates")
    .where("codeId", "=", codeId)
    .where("certificateId", "=", certificateId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the publications of certificates that ended before this time. Returns how many there were. */
export async function deleteEndedPublications(db: DbOrTrx, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("entityCertificates")
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("certificates")
          .select("certificates.id")
          .whereRef("certificates.id", "=", "entityCertificates.certificateId")
          .where("certificates.expiryDate", "<", before.toISOString()),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

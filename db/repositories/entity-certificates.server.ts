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

/** Returns a query for the certificates that are published at registered entities, by both of which the same company is meant. */
const selectPublished = (db: DbOrTrx) =>
  db
    .selectFrom("entityCertificates as published")
    .innerJoin("codes", (join) =>
      join.onRef("codes.id", "=", "published.codeId").onRef("codes.companyId", "=", "published.companyId"),
    )
    .innerJoin("certificates", (join) =>
      join
        .onRef("certificates.id", "=", "published.certificateId")
        .onRef("certificates.companyId", "=", "published.companyId"),
    )
    .select(["published.codeId", "published.publishedAt", ...COLUMNS]);

/** Returns the certificates with one of these statuses that are published at these entities while those are registered, the newest first. */
export const listPublishedAt = (
  db: DbOrTrx,
  codeIds: readonly number[],
  { statuses, now }: { statuses: readonly CertificateStatus[]; now: Date },
) =>
  selectPublished(db)
    .where("published.codeId", "in", codeIds.length > 0 ? codeIds : [0])
    .where("codes.status", "=", "Registered")
    .where("certificates.status", "in", statuses)
    .where("certificates.expiryDate", ">", now.toISOString())
    .orderBy("published.codeId")
    .orderBy("certificates.startDate", "desc")
    .orderBy("certificates.id", "desc")
    .execute();

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

/** Returns the newest certificates of a company with one of these statuses that carry an OFTP ID, which is in upper case. */
export const listCarriers = (
  db: DbOrTrx,
  { companyId, oftpId }: { companyId: number; oftpId: string },
  { statuses, now, limit }: { statuses: readonly CertificateStatus[]; now: Date; limit: number },
) =>
  db
    .selectFrom("certificates")
    .select(COLUMNS)
    .where("companyId", "=", companyId)
    .where("ssid", "is not", null)
    .where(sql`upper(ssid)`, "=", oftpId)
    .where("status", "in", statuses)
    .where("expiryDate", ">", now.toISOString())
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

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

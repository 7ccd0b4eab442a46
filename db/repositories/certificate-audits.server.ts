import { type DbOrTrx, type Trx } from "../connection.server";
import { type CertificateStatus, type NewRow, type Row } from "../tables";

export type CertificateAudit = Row<"certificateAudits">;
export type AuditFinding = Row<"auditFindings">;

/** Returns the run that began last, finished or not, or null. */
export const findLatestAudit = async (db: DbOrTrx): Promise<CertificateAudit | null> =>
  (await db.selectFrom("certificateAudits").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst()) ?? null;

/** Returns the run that finished last, or null. */
export const findFinishedAudit = async (db: DbOrTrx): Promise<CertificateAudit | null> =>
  (await db
    .selectFrom("certificateAudits")
    .selectAll()
    .where("finishedAt", "is not", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()) ?? null;

/** Begins a run. */
export const insertAudit = (db: DbOrTrx, now: Date): Promise<CertificateAudit> =>
  db
    .insertInto("certificateAudits")
    .values({ startedAt: now, afterId: 0, checked: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Stores how far a run has come, or that it has finished. */
export async function updateAudit(trx: Trx, id: number, change: Partial<NewRow<"certificateAudits">>): Promise<void> {
  await trx.updateTable("certificateAudits").set(change).where("id", "=", id).execute();
}

/** The statuses of certificates in force. */
export const IN_FORCE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Renewed", "RequestRevoke"];

/**
 * Returns the rows with ids above `afterId` that have a certificate or should have one, by id, with the columns that the audit compares. Which of
 * them are in force is not asked here: the audit compares what the columns say about that, too.
 */
export const listToAudit = (db: DbOrTrx, afterId: number, limit: number) =>
  db
    .selectFrom("certificates")
    .innerJoin("orders", "orders.id", "certificates.orderId")
    .leftJoin("revocationPublications", "revocationPublications.certificateId", "certificates.id")
    .select([
      "certificates.id",
      "certificates.companyId",
      "certificates.status",
      "authorityId",
      "previousCertificateId",
      "certificates.updatedAt",
    ])
    .select("orders.companyId as orderCompanyId")
    .select([
      "serialNumber",
      "der",
      "tbsCertificate",
      "certificateProfile",
      "thumbprint",
      "thumbprintSha256",
      "startDate",
      "expiryDate",
      "issuedAt",
    ])
    .select(["keyIdentity", "publicKeySha256", "commonName", "organisation", "country", "ssid"])
    .select(["subjectAlternateName", "revokedCertificateDer", "firstCrlNumber", "publishedAt"])
    .where("certificates.id", ">", afterId)
    .where((eb) => eb.or([eb("der", "is not", null), eb("certificates.status", "in", [...IN_FORCE, "Revoked"])]))
    .orderBy("certificates.id")
    .limit(limit)
    .execute();

export type RowToAudit = Awaited<ReturnType<typeof listToAudit>>[number];

/** Returns the ids of the certificates with these serial numbers, by serial number. */
export async function findIdsBySerial(db: DbOrTrx, serialNumbers: readonly string[]): Promise<Map<string, number>> {
  if (serialNumbers.length === 0) return new Map();
  const rows = await db
    .selectFrom("certificates")
    .select(["id", "serialNumber"])
    .where("serialNumber", "in", serialNumbers)
    .execute();
  return new Map(rows.map(({ id, serialNumber }) => [serialNumber ?? "", id]));
}

/** Returns the open findings about these subjects. */
export const listOpenFindings = (db: DbOrTrx, subjects: readonly string[]): Promise<AuditFinding[]> =>
  db.selectFrom("auditFindings").selectAll().where("settledAt", "is", null).where("subject", "in", subjects).execute();

export async function insertFinding(trx: Trx, finding: NewRow<"auditFindings">): Promise<void> {
  await trx.insertInto("auditFindings").values(finding).execute();
}

/** Stores that a run has seen an open finding again. */
export async function updateFinding(trx: Trx, id: number, change: Partial<NewRow<"auditFindings">>): Promise<void> {
  await trx.updateTable("auditFindings").set(change).where("id", "=", id).execute();
}

/** Settles up to `limit` open findings that this run has not seen, and returns them. */
export async function settleUnseen(trx: Trx, auditId: number, now: Date, limit: number): Promise<AuditFinding[]> {
  const unseen = trx
    .selectFrom("auditFindings")
    .select("id")
    .where("settledAt", "is", null)
    .where("auditId", "<>", auditId)
    .limit(limit);
  return trx.updateTable("auditFindings").set({ settledAt: now }).where("id", "in", unseen).returningAll().execute();
}

/** Deletes findings that were settled, and runs that began, before this time, except the runs that remaining findings name. */
export async function deleteOldAudits(trx: Trx, before: Date): Promise<void> {
  await trx.deleteFrom("auditFindings").where("settledAt", "<", before.toISOString()).execute();
  await trx
    .deleteFrom("certificateAudits")
    .where("startedAt", "<", before.toISOString())
    .where("id", "not in", trx.selectFrom("auditFindings").select("auditId"))
    .execute();
}

const findings = (db: DbOrTrx, isOpen: boolean) =>
  db.selectFrom("auditFindings").where("settledAt", isOpen ? "is" : "is not", null);

/** Returns how many findings are open, or settled. */
export const countFindings = async (db: DbOrTrx, isOpen: boolean): Promise<number> =>
  (
    await findings(db, isOpen)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;

/** Returns how many findings of each rule are open. */
export const countOpenByRule = (db: DbOrTrx): Promise<{ rule: string; count: number }[]> =>
  findings(db, true)
    .groupBy("rule")
    .select(({ fn }) => ["rule", fn.countAll<number>().as("count")])
    .execute();

/** Returns a page of the open or the settled findings, by when they were first seen. */
export const listFindings = (
  db: DbOrTrx,
  isOpen: boolean,
  { direction, offset, limit }: { direction: "asc" | "desc"; offset: number; limit: number },
): Promise<AuditFinding[]> =>
  findings(db, isOpen)
    .selectAll()
    .orderBy("firstSeenAt", direction)
    .orderBy("id", direction)
    .offset(offset)
    .limit(limit)
    .execute();

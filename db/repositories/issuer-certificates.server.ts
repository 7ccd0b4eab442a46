import { type DbOrTrx } from "../connection.server";
import { type CertificateStatus } from "../tables";

/** The statuses of certificates that partners may still accept. */
const IN_USE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Renewed", "RequestRevoke"];

/** Returns the valid certificates of a CA with an id above `after`, in the order of their ids. */
export const listInUse = (db: DbOrTrx, authorityId: number, after: number, limit: number, now: Date) =>
  db
    .selectFrom("certificates")
    .innerJoin("companies", "companies.id", "certificates.companyId")
    .select([
      "certificates.id",
      "certificates.orderId",
      "certificates.userId",
      "certificates.companyId",
      "certificates.commonName",
      "certificates.serialNumber",
      "certificates.expiryDate",
      "companies.name as company",
    ])
    .where("certificates.authorityId", "=", authorityId)
    .where("certificates.id", ">", after)
    .where("certificates.status", "in", IN_USE)
    .where("certificates.expiryDate", ">", now.toISOString())
    .orderBy("certificates.id")
    .limit(limit)
    .execute();

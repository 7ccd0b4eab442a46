import { type DbOrTrx, type Trx } from "../connection.server";
import { type CertificateRow } from "./certificates.server";

/** Returns the successors of these certificates: renewals and reissues in any status, oldest first. */
export const listSuccessors = (db: DbOrTrx, ids: readonly number[]) =>
  db
    .selectFrom("certificates")
    .select([
      "id",
      "orderId",
      "userId",
      "companyId",
      "previousCertificateId",
      "isCorrection",
      "orderType",
      "status",
      "commonName",
      "requestedAt",
      "expiryDate",
    ])
    .where("previousCertificateId", "in", ids.length > 0 ? ids : [0])
    .orderBy("id")
    .execute();

export type Successor = Awaited<ReturnType<typeof listSuccessors>>[number];

/** Returns a certificate and locks it against every other change until the transaction ends. */
export async function lockCertificate(trx: Trx, id: number): Promise<CertificateRow | null> {
  const row = await trx
    .updateTable("certificates")
    .set((eb) => ({ status: eb.ref("status") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

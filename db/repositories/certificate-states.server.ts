import { type DbOrTrx } from "../connection.server";
import { type CertificateStatus } from "../tables";

/** The stored state of an issued certificate, for answering whether it is revoked. */
export interface CertificateState {
  authorityId: number;
  status: CertificateStatus;
  revocationDate: string | null;
  revocationReason: number | null;
  /** Its entry in the CRLs, or null when it is not revoked. */
  revokedCertificateDer: Buffer | null;
}

/** Returns the states of the issued certificates with these serial numbers (upper-case hex), by serial number. */
export async function findCertificateStates(
  db: DbOrTrx,
  serialNumbers: readonly string[],
): Promise<Map<string, CertificateState>> {
  const rows = await db
    .selectFrom("certificates")
    .select(["serialNumber", "authorityId", "status", "revocationDate", "revocationReason", "revokedCertificateDer"])
    .where("serialNumber", "in", serialNumbers)
    .where("der", "is not", null)
    .execute();
  return new Map(rows.map((row) => [row.serialNumber ?? "", row as typeof row & { authorityId: number }]));
}

/** Returns the ids of the CAs that issued OCSP responder certificates with these serial numbers, by serial number. */
export async function findResponderIssuers(
  db: DbOrTrx,
  serialNumbers: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("ocspResponders")
    .select(["serialNumber", "authorityId"])
    .where("serialNumber", "in", serialNumbers)
    .where("certificate", "is not", null)
    .execute();
  return new Map(rows.map(({ serialNumber, authorityId }) => [serialNumber, authorityId]));
}

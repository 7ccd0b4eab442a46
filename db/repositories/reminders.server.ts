import { type Trx } from "../connection.server";
import { type CertificateStatus } from "../tables";

const RUNNING: readonly CertificateStatus[] = ["Issued", "Downloaded"];
/** A certificate with a successor in one of these states gets no reminder. */
const IN_PLACE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Renewed"];

export interface DueReminders {
  /** Which reminder: the number of days before the expiry. */
  days: number;
  /** Certificates that expire after `from` and not after `to`. */
  from: Date;
  to: Date;
  limit: number;
}

/**
 * Marks up to `limit` certificates as reminded and returns them: those in use without an issued successor whose last reminder was a
 * different one. The last reminder may even be a later one that a wrong clock recorded, because it must not suppress the earlier ones. The
 * condition is part of the statement, so that only one of two processes gets each certificate.
 */
export function claimReminders(trx: Trx, { days, from, to, limit }: DueReminders) {
  const due = trx
    .selectFrom("certificates")
    .select("id")
    .where("status", "in", RUNNING)
    .where("expiryDate", ">", from.toISOString())
    .where("expiryDate", "<=", to.toISOString())
    .where((eb) => eb.or([eb("remindedDays", "is", null), eb("remindedDays", "!=", days)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("certificates as successor")
            .select("successor.id")
            .whereRef("successor.previousCertificateId", "=", "certificates.id")
            .where("successor.status", "in", IN_PLACE),
        ),
      ),
    )
    .orderBy("expiryDate")
    .limit(limit);
  return trx
    .updateTable("certificates")
    .set({ remindedDays: days })
    .where("id", "in", due)
    .where((eb) => eb.or([eb("remindedDays", "is", null), eb("remindedDays", "!=", days)]))
    .returning([
      "id",
      "orderId",
      "userId",
      "companyId",
      "authorityId",
      "status",
      "commonName",
      "email",
      "ssid",
      "subjectAlternateName",
      "serialNumber",
      "expiryDate",
      "authenticationContact",
    ])
    .execute();
}

export type RemindedCertificate = Awaited<ReturnType<typeof claimReminders>>[number];

import { type Trx } from "../connection.server";
import { type CertificateStatus } from "../tables";

const RUNNING: readonly CertificateStatus[] = ["Issued", "Downloaded"];
/** A successor in one of these states takes a certificate's place. */
const IN_PLACE: readonly CertificateStatus[] = ["Issued", "Downloaded", "Renewed"];

export interface DueReminders {
  /** The reminder: so many days before the end. */
  days: number;
  /** The certificates that end after `from` and not after `to`. */
  from: Date;
  to: Date;
  limit: number;
}

/**
 * Notes up to `limit` certificates as reminded: those that can be used, have no issued successor, and whose last reminder was another one.
 * Also one that is later: a clock that was ahead noted it, and must not keep the earlier ones back.
 * The condition is part of the statement, so that of two processes one gets each. Out: the certificates.
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
      "status",
      "commonName",
      "serialNumber",
      "expiryDate",
      "authenticationContact",
    ])
    .execute();
}

export type RemindedCertificate = Awaited<ReturnType<typeof claimReminders>>[number];

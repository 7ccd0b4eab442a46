import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { expireEndedCertificates } from "~db/repositories/upkeep.server";
import { inTransaction } from "~db/transaction.server";

const BATCH = 200;

/**
 * Gives every certificate past its expiry the status Expired, each with its audit entry. Out: how many.
 * Safe to run in several processes at once and to repeat.
 */
export async function expireCertificates(now = new Date()): Promise<number> {
  let count = 0;
  for (;;) {
    const expired = await inTransaction(async (trx) => {
      const certificates = await expireEndedCertificates(trx, now, BATCH);
      for (const { id, userId, orderId, commonName } of certificates) {
        await recordAudit(
          trx,
          {
            actor: systemActor("expiry"),
            event: "certificate.expired",
            message: `The certificate for ${commonName} has expired.`,
            userId,
            orderId,
            certificateId: id,
          },
          now,
        );
      }
      return certificates.length;
    });
    count += expired;
    if (expired < BATCH) return count;
  }
}

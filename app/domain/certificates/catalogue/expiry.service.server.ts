import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { type Trx } from "~db/connection.server";
import { expireEndedCertificates, reviveUnendedCertificates } from "~db/repositories/upkeep.server";
import { inTransaction } from "~db/transaction.server";

const BATCH = 200;

interface Change {
  /** Changes up to `limit` certificates. Out: the changed ones. */
  apply: typeof expireEndedCertificates;
  event: string;
  message: (commonName: string) => string;
}

const EXPIRY: Change = {
  apply: expireEndedCertificates,
  event: "certificate.expired",
  message: (commonName) => `The certificate for ${commonName} has expired.`,
};

const REVIVAL: Change = {
  apply: reviveUnendedCertificates,
  event: "certificate.expiry-withdrawn",
  message: (commonName) => `The certificate for ${commonName} was marked Expired before its end; it is valid.`,
};

/** Makes a change to all certificates that it is due for, in batches, each with its audit entry. Out: how many. */
async function changeAll({ apply, event, message }: Change, now: Date): Promise<number> {
  const changeBatch = async (trx: Trx) => {
    const certificates = await apply(trx, now, BATCH);
    for (const { id, userId, orderId, commonName } of certificates) {
      const about = { userId, orderId, certificateId: id };
      await recordAudit(trx, { actor: systemActor("expiry"), event, message: message(commonName), ...about }, now);
    }
    return certificates.length;
  };
  let count = 0;
  for (;;) {
    const changed = await inTransaction(changeBatch);
    count += changed;
    if (changed < BATCH) return count;
  }
}

/**
 * Gives every certificate past its expiry the status Expired, each with its audit entry. Out: how many.
 * Safe to run in several processes at once and to repeat.
 */
export const expireCertificates = (now = new Date()): Promise<number> => changeAll(EXPIRY, now);

/** Puts right what `expireCertificates` did by a clock that was ahead: Expired is left when the end is still to come. Out: how many. */
export const reviveCertificates = (now = new Date()): Promise<number> => changeAll(REVIVAL, now);

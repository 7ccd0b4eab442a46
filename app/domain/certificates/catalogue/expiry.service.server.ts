import { recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { type Trx } from "~db/connection.server";
import { expireEndedCertificates, reviveUnendedCertificates } from "~db/repositories/upkeep.server";
import { inTransaction } from "~db/transaction.server";

const BATCH = 200;

interface Change {
  /** Changes up to `limit` certificates and returns the changed ones. */
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

/** Applies a change to all certificates that are due, in batches, and records an audit entry for each. Returns how many were changed. */
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
 * Turns every certificate past its expiry into Expired and records an audit entry for each. Returns how many were changed. Safe to repeat
 * and to run in several processes at once.
 */
export const expireCertificates = (now = new Date()): Promise<number> => changeAll(EXPIRY, now);

/**
 * Corrects what `expireCertificates` did while the clock was ahead: a certificate whose end is still to come is no longer Expired. Returns
 * how many were changed.
 */
export const reviveCertificates = (now = new Date()): Promise<number> => changeAll(REVIVAL, now);

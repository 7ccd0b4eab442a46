import { systemActor } from "~/domain/audit/audit.service.server";
import { type DbOrTrx, type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { KEY_COMPROMISED, SUPERSEDED } from "../revocation/reasons";
import { recordBroughtForward, type Revocation, storeScheduled } from "../revocation/storage.server";
import { supersededBy } from "./correction.policy";
import { REISSUABLE } from "./reissue.policy";

const ACTOR = systemActor("corrections");

const wholeSecond = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000);

const revocationBy = ({ id }: { id: number }, revocationDate: Date): Revocation => ({
  revocationDate,
  invalidityDate: null,
  revocationReason: SUPERSEDED,
  revocationDescription: `Certificate ${id} corrects it.`,
  revokedBy: null,
});

/** Schedules a revocation, or brings forward the scheduled one. A key that was reported as compromised keeps its reason and its date. */
async function schedule(trx: Trx, row: CertificateRow, revocation: Revocation, now: Date): Promise<void> {
  const { status, revocationDate, revocationReason } = row;
  const isScheduled = status === "RequestRevoke";
  if (!isScheduled && !REISSUABLE.includes(status)) return;
  if (isScheduled && revocationReason === KEY_COMPROMISED) return;
  if (isScheduled && revocationDate !== null && revocation.revocationDate >= new Date(revocationDate)) return;
  await recordBroughtForward(trx, row, revocation, ACTOR, now);
  await storeScheduled(trx, row, revocation, ACTOR, now);
}

/**
 * Schedules the revocation of a certificate whose correction is issued in this transaction. The caller has locked its key. A certificate that has
 * ended, or was revoked or renewed, is left alone.
 */
export async function scheduleSuperseded(
  trx: Trx,
  previous: CertificateRow,
  correction: CertificateRow,
  now: Date,
): Promise<void> {
  if (!previous.expiryDate || Date.parse(previous.expiryDate) <= now.getTime()) return;
  await schedule(trx, previous, revocationBy(correction, supersededBy(previous.expiryDate, now)), now);
}

/**
 * Makes the revocation of the certificate due that a correction supersedes, because its owner downloads the correction in this transaction.
 * The job carries it out and publishes the CRLs, so that the answer with the file waits for neither.
 */
export async function supersedeAtOnce(trx: Trx, correction: CertificateRow, now: Date): Promise<void> {
  const previous = await findScheduledBy(trx, correction);
  if (!previous) return;
  await lockKey(trx, previous.keyIdentity);
  const row = await findCertificate(trx, previous.id);
  if (row?.status === "RequestRevoke") await schedule(trx, row, revocationBy(correction, wholeSecond(now)), now);
}

/** Returns the certificate that the next download of its correction revokes, or null. */
export async function findScheduledBy(db: DbOrTrx, correction: CertificateRow): Promise<CertificateRow | null> {
  const previous = await findSuperseded(db, correction);
  return previous?.status === "RequestRevoke" ? previous : null;
}

/** Returns the certificate that a correction supersedes, or null for every other certificate. */
export const findSuperseded = async (
  db: DbOrTrx,
  { isCorrection, previousCertificateId }: Pick<CertificateRow, "isCorrection" | "previousCertificateId">,
): Promise<CertificateRow | null> =>
  isCorrection && previousCertificateId !== null ? findCertificate(db, previousCertificateId) : null;

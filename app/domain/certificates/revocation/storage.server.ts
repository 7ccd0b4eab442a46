import { revokedEntryDer } from "~/ca/crl/entry.server";
import { type Actor, recordAudit } from "~/domain/audit/audit.service.server";
import { tellOfRevocation } from "~/domain/codes/certificates/telling.server";
import { recipientFor } from "~/domain/companies/recipient.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { certificateRevokedMail, revocationScheduledMail } from "~/domain/mail/templates/certificates.server";
import { formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { blockKey } from "~db/repositories/blocked-keys.server";
import { type CertificateRow, changeCertificate, listCertificatesOfKey } from "~db/repositories/certificates.server";
import { insertPublication } from "~db/repositories/revocation-publications.server";
import { type UserRow } from "~db/repositories/users.server";
import { REVOCABLE } from "../certificates.policy";
import { KEY_COMPROMISED, reasonText } from "./reasons";

/** What is stored with a revocation, whether carried out or scheduled. */
export interface Revocation {
  revocationDate: Date;
  invalidityDate: Date | null;
  revocationReason: number;
  revocationDescription: string | null;
  revokedBy: number | null;
}

const SHARED_KEY = "The public key of this certificate was reported as compromised with another certificate.";

const aboutRow = (row: CertificateRow, actor: Actor) => ({
  actor,
  userId: row.userId,
  orderId: row.orderId,
  certificateId: row.id,
  reference: row.serialNumber,
});

const timestampText = (timestamp: Date | string) => `${formatDateTime(new Date(timestamp).toISOString())} UTC`;

/**
 * Returns from when the time to the publication of a revocation counts: from now, or from the date of a scheduled one, which the job carries
 * out later. Dates of revocations have whole seconds.
 */
const askedAt = ({ revocationDate }: Revocation, now: Date): Date =>
  now.getTime() - revocationDate.getTime() < 1000 ? now : revocationDate;

/**
 * Revokes a certificate: stores its status, the entry for the CRLs, the audit entry and the confirmation. Runs in the transaction of the
 * caller, who has locked the key. Returns false, and stores nothing, when the status no longer allows it.
 */
export async function storeRevoked(
  trx: Trx,
  row: CertificateRow,
  revocation: Revocation,
  actor: Actor,
  now: Date,
): Promise<boolean> {
  if (!row.serialNumber) throw new Error(`Certificate ${row.id} has no serial number.`);
  const { revocationDate, invalidityDate, revocationReason: reason } = revocation;
  const entry = revokedEntryDer({ serial: row.serialNumber, revocationDate, reason, invalidityDate });
  const change = { ...revocation, status: "Revoked" as const, revokedCertificateDer: Buffer.from(entry) };
  if (!(await changeCertificate(trx, row.id, REVOCABLE, change, now))) return false;
  const message = `The certificate for ${row.commonName} was revoked (${reasonText(reason)}).`;
  await recordAudit(trx, { ...aboutRow(row, actor), event: "certificate.revoked", message }, now);
  await insertPublication(trx, row.id, askedAt(revocation, now));
  await queueConfirmation(trx, row, revocation, now);
  await tellOfRevocation(trx, row, `A certificate of the entity was revoked (${reasonText(reason)}).`, now);
  return true;
}

/** Returns the data for the messages about a revocation. */
function mailDataOf(
  owner: UserRow,
  row: CertificateRow,
  { revocationReason, revocationDate, revocationDescription }: Revocation,
) {
  return {
    name: `${owner.firstName} ${owner.lastName}`,
    commonName: row.commonName,
    serialNumber: row.serialNumber ?? "",
    revocationDate: revocationDate.toISOString(),
    reason: reasonText(revocationReason),
    isKeyCompromised: revocationReason === KEY_COMPROMISED,
    description: revocationDescription,
    url: getEnv().publicUrl + paths.certificateDetails(row.id),
  };
}

/** Returns the key of the message that confirms the revocation of a certificate. */
export const revokedMailKey = ({ id }: { id: number }) => `certificate-revoked:${id}` as const;

async function queueConfirmation(trx: Trx, row: CertificateRow, revocation: Revocation, now: Date): Promise<void> {
  const owner = await recipientFor(trx, row);
  const mail = certificateRevokedMail(mailDataOf(owner, row, revocation));
  await queueOwnMail(trx, owner.id, { dedupeKey: revokedMailKey(row), orderId: row.orderId, mail }, now);
}

/** Notifies the owner that a certificate is scheduled to be revoked, once for each chosen date. */
async function queueNotice(trx: Trx, row: CertificateRow, revocation: Revocation, now: Date): Promise<void> {
  const owner = await recipientFor(trx, row);
  const mail = revocationScheduledMail(mailDataOf(owner, row, revocation));
  const dedupeKey = `revocation-scheduled:${row.id}:${revocation.revocationDate.toISOString()}` as const;
  await queueOwnMail(trx, owner.id, { dedupeKey, orderId: row.orderId, mail }, now);
}

/** Returns the revocation's date, or the date for which this certificate is already scheduled if that is earlier. */
function earlierDate(row: CertificateRow, { revocationDate }: Revocation): Date {
  if (row.status !== "RequestRevoke" || !row.revocationDate) return revocationDate;
  return new Date(Math.min(revocationDate.getTime(), Date.parse(row.revocationDate)));
}

/** Blocks the key of a certificate for ever, for all customers. */
export async function blockCompromised(trx: Trx, row: CertificateRow, actor: Actor, now: Date): Promise<void> {
  await blockKey(trx, row.keyIdentity, `Key of certificate ${row.id} compromised`, now);
  const message = `The public key of the certificate for ${row.commonName} was blocked for ever: ${row.keyIdentity}.`;
  await recordAudit(trx, { ...aboutRow(row, actor), event: "key.blocked", message }, now);
}

/**
 * Revokes every certificate of a key that is still in force, whoever owns it. The caller has locked the key. Returns the certificates that
 * were revoked.
 */
export async function revokeAllOfKey(
  trx: Trx,
  keyIdentity: string,
  revocation: Revocation,
  actor: Actor,
  now: Date,
): Promise<CertificateRow[]> {
  const revoked: CertificateRow[] = [];
  for (const row of await listCertificatesOfKey(trx, keyIdentity, REVOCABLE)) {
    const own = { ...revocation, revocationDate: earlierDate(row, revocation) };
    if (await storeRevoked(trx, row, own, actor, now)) revoked.push(row);
  }
  return revoked;
}

/**
 * Revokes every other certificate of a compromised key, whoever owns it. The description that was typed for the first certificate is not
 * copied to them. Returns the certificates that were revoked.
 */
export const revokeOthersOfKey = async (
  trx: Trx,
  row: CertificateRow,
  revocation: Revocation,
  actor: Actor,
  now: Date,
): Promise<CertificateRow[]> =>
  revocation.revocationReason === KEY_COMPROMISED
    ? revokeAllOfKey(trx, row.keyIdentity, { ...revocation, revocationDescription: SHARED_KEY }, actor, now)
    : [];

/**
 * Schedules the revocation of a certificate, without a message to its owner. Returns false when the status no longer allows it. An earlier
 * schedule has its entry by `recordBroughtForward`.
 */
export async function storeScheduled(
  trx: Trx,
  row: CertificateRow,
  revocation: Revocation,
  actor: Actor,
  now: Date,
): Promise<boolean> {
  if (!(await changeCertificate(trx, row.id, REVOCABLE, { ...revocation, status: "RequestRevoke" }, now))) return false;
  const what = `A certificate of the entity is to be revoked on ${timestampText(revocation.revocationDate)}. It is not in the register any more.`;
  await tellOfRevocation(trx, row, what, now);
  if (row.status === "RequestRevoke") return true;
  const reason = reasonText(revocation.revocationReason);
  const message = `The certificate for ${row.commonName} is to be revoked on ${timestampText(revocation.revocationDate)} (${reason}).`;
  await recordAudit(trx, { ...aboutRow(row, actor), event: "certificate.revocation-requested", message }, now);
  return true;
}

/** Schedules the revocation of a certificate and notifies its owner. Returns false when the status no longer allows it. */
export async function storeRequest(
  trx: Trx,
  row: CertificateRow,
  revocation: Revocation,
  actor: Actor,
  now: Date,
): Promise<boolean> {
  if (!(await storeScheduled(trx, row, revocation, actor, now))) return false;
  await queueNotice(trx, row, revocation, now);
  return true;
}

/**
 * Schedules every other certificate of a compromised key for the same date, whoever owns it, so that the OCSP answers about it end at that
 * time too. A certificate that is scheduled earlier stays as it is.
 */
export async function scheduleOthersOfKey(
  trx: Trx,
  row: CertificateRow,
  revocation: Revocation,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (revocation.revocationReason !== KEY_COMPROMISED) return;
  const own = { ...revocation, revocationDescription: SHARED_KEY };
  for (const other of await listCertificatesOfKey(trx, row.keyIdentity, REVOCABLE)) {
    if (other.id === row.id || earlierDate(other, revocation) < revocation.revocationDate) continue;
    await recordBroughtForward(trx, other, own, actor, now);
    await storeRequest(trx, other, own, actor, now);
  }
}

/** Records that a scheduled revocation is brought forward, with both dates. Does nothing for a certificate that is not scheduled. */
export async function recordBroughtForward(
  trx: Trx,
  row: CertificateRow,
  { revocationDate, revocationReason }: Revocation,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (row.status !== "RequestRevoke" || !row.revocationDate) return;
  const [before, after] = [timestampText(row.revocationDate), timestampText(revocationDate)];
  const message = `The revocation of the certificate for ${row.commonName}, scheduled for ${before}, was brought forward to ${after} (${reasonText(revocationReason)}).`;
  await recordAudit(trx, { ...aboutRow(row, actor), event: "certificate.revocation-brought-forward", message }, now);
}

import { revokedEntryDer } from "~/ca/crl/entry.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { certificateRevokedMail } from "~/domain/mail/templates/certificates.server";
import { formatDateTime } from "~/lib/dates";
import { getEnv } from "~/lib/env.server";
import { notFound, PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { blockKey } from "~db/repositories/blocked-keys.server";
import {
  type CertificateRow,
  changeCertificate,
  findVisibleCertificate,
  listDueRevocations,
} from "~db/repositories/certificates.server";
import { findUserById } from "~db/repositories/users.server";
import { type CertificateStatus } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { REVOCABLE, whyNotRevoke } from "./certificates.policy";
import { announceRevocation, publishListsOf } from "./revocation-publishing.server";
import { planRevocation, revocationDateProblem } from "./revocation.policy";
import { KEY_COMPROMISED, reasonText, type RevocationReasonId } from "./revocation-reasons";

export interface RevocationOrder {
  certificateId: number;
  user: SessionUser;
  reason: RevocationReasonId;
  description: string;
  date: Date;
}

export interface RevocationOutcome {
  /** Asked for a later moment: nothing is revoked yet. */
  isScheduled: boolean;
  revocationDate: Date;
  /** Succeeded with an error: revoked, but this went wrong. */
  problem: string | null;
}

const refusal = (message: string) => new PortalError(message, { code: "OCA0F01E" });

/** The certificate if this order can be carried out; throws what `revokeCertificate` throws. Changes nothing. */
export async function demandRevocable({
  certificateId,
  user,
  date,
}: Pick<RevocationOrder, "certificateId" | "user" | "date">) {
  const row = await findVisibleCertificate(getDb(), certificateId, user);
  if (!row) throw notFound();
  const barrier = whyNotRevoke(row.status);
  if (barrier) throw refusal(barrier);
  const problem = revocationDateProblem(date, validityOf(row));
  if (problem) throw new PortalError(problem, { code: "revocation.date", field: "revocationDate" });
  return row;
}

/**
 * Revokes a certificate, or notes that it is to be revoked later. Revoked now, it is on the published base and delta list before
 * this resolves. Throws a PortalError when the state forbids it, at `revocationDate` when the date is outside the validity.
 */
export async function revokeCertificate(order: RevocationOrder, now = new Date()): Promise<RevocationOutcome> {
  const { user, reason, description, date } = order;
  const row = await demandRevocable(order);
  const { isScheduled, revocationDate, invalidityDate } = planRevocation(date, now);
  const revocation: Revocation = {
    revocationDate,
    invalidityDate,
    revocationReason: reason,
    revocationDescription: description || null,
    revokedBy: user.id,
  };
  await inTransaction(async (trx) => {
    const isFirst = isScheduled
      ? await changeCertificate(trx, row.id, REVOCABLE, { ...revocation, status: "RequestRevoke" }, now)
      : await storeRevoked(trx, row, REVOCABLE, revocation, now);
    if (!isFirst) throw refusal("The certificate has been revoked meanwhile.");
    if (reason === KEY_COMPROMISED)
      await blockKey(trx, row.publicKeySha256, `Key of certificate ${row.id} compromised`, now);
    if (isScheduled) await recordRequest(trx, row, revocation, user.actor, now);
    else await recordRevoked(trx, row, revocation, user.actor, now);
  });
  return { isScheduled, revocationDate, problem: isScheduled ? null : await announceRevocation(row, now) };
}

function validityOf({ id, startDate, expiryDate }: CertificateRow): { startDate: string; expiryDate: string } {
  if (!startDate || !expiryDate) throw new Error(`Certificate ${id} has no validity.`);
  return { startDate, expiryDate };
}

interface Revocation {
  revocationDate: Date;
  invalidityDate: Date | null;
  revocationReason: number;
  revocationDescription: string | null;
  revokedBy: number | null;
}

/** Writes the revocation and the list entry that expresses it. Out: false when the certificate was in none of these states. */
function storeRevoked(
  trx: Trx,
  row: CertificateRow,
  from: readonly CertificateStatus[],
  revocation: Revocation,
  now: Date,
): Promise<boolean> {
  if (!row.serialNumber) throw new Error(`Certificate ${row.id} has no serial number.`);
  const { revocationDate, invalidityDate, revocationReason: reason } = revocation;
  const entry = revokedEntryDer({ serial: row.serialNumber, revocationDate, reason, invalidityDate });
  return changeCertificate(
    trx,
    row.id,
    from,
    { ...revocation, status: "Revoked", revokedCertificateDer: Buffer.from(entry) },
    now,
  );
}

const entryOf = (row: CertificateRow, actor: Actor) => ({
  actor,
  userId: row.userId,
  orderId: row.orderId,
  certificateId: row.id,
  reference: row.serialNumber,
});

function recordRequest(
  trx: Trx,
  row: CertificateRow,
  { revocationDate, revocationReason }: Revocation,
  actor: Actor,
  now: Date,
): Promise<void> {
  const moment = formatDateTime(revocationDate.toISOString());
  const message = `The certificate for ${row.commonName} is to be revoked on ${moment} UTC (${reasonText(revocationReason)}).`;
  return recordAudit(trx, { ...entryOf(row, actor), event: "certificate.revocation-requested", message }, now);
}

/** The audit entry and the confirmation of a revocation, in its transaction. */
async function recordRevoked(
  trx: Trx,
  row: CertificateRow,
  { revocationReason, revocationDate, revocationDescription }: Revocation,
  actor: Actor,
  now: Date,
): Promise<void> {
  const { commonName } = row;
  const reason = reasonText(revocationReason);
  const message = `The certificate for ${commonName} was revoked (${reason}).`;
  await recordAudit(trx, { ...entryOf(row, actor), event: "certificate.revoked", message }, now);
  const owner = await findUserById(trx, row.userId);
  if (!owner) throw new Error(`Certificate ${row.id} has no owner.`);
  const mail = certificateRevokedMail({
    name: `${owner.firstName} ${owner.lastName}`,
    commonName,
    serialNumber: row.serialNumber ?? "",
    revocationDate: revocationDate.toISOString(),
    reason,
    description: revocationDescription,
    url: getEnv().publicUrl + paths.certificateDetails(row.id),
  });
  await queueMail(
    trx,
    { dedupeKey: `certificate-revoked:${row.id}`, to: owner.email, orderId: row.orderId, mail },
    now,
  );
}

/** Carries out one revocation whose moment has come. Out: false when another process did. */
function carryOut(row: CertificateRow, now: Date): Promise<boolean> {
  const { revocationDate, revocationReason, revocationDescription, revokedBy } = row;
  if (!revocationDate || revocationReason === null)
    throw new Error(`Certificate ${row.id} has no revocation to carry out.`);
  const revocation = {
    revocationDate: new Date(revocationDate),
    invalidityDate: null,
    revocationReason,
    revocationDescription,
    revokedBy,
  };
  return inTransaction(async (trx) => {
    if (!(await storeRevoked(trx, row, ["RequestRevoke"], revocation, now))) return false;
    await recordRevoked(trx, row, revocation, systemActor("revocations"), now);
    return true;
  });
}

/** Carries out the revocations whose moment has come and publishes their lists. As a job. Out: how many. */
export async function carryOutDueRevocations(now = new Date()): Promise<number> {
  const authorities = new Set<number | null>();
  let count = 0;
  for (const row of await listDueRevocations(getDb(), now)) {
    if (!(await carryOut(row, now))) continue;
    authorities.add(row.authorityId);
    count += 1;
  }
  for (const authorityId of authorities) await publishListsOf(authorityId, now);
  return count;
}

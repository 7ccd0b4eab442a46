import { maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { systemActor } from "~/domain/audit/audit.service.server";
import { requireMemberOrStaff } from "~/domain/companies/membership.server";
import { notFound, PortalError } from "~/lib/errors";
import { getDb, type DbOrTrx, type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { type CertificateRow, findCertificate, listDueRevocations } from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { whyNotRevoke } from "../certificates.policy";
import { findVisibleCertificate } from "../visible.server";
import { announceRevocation, listUnlisted, publishCrlsOf, publishRevocation } from "./publishing.server";
import { KEY_COMPROMISED, type RevocationReasonId } from "./reasons";
import {
  matchesPlan,
  planRevocation,
  type RevocationPlan,
  revocationDateProblem,
  revocationReasonProblem,
} from "./revocation.policy";
import {
  blockCompromised,
  recordBroughtForward,
  type Revocation,
  revokeOthersOfKey,
  scheduleOthersOfKey,
  storeRequest,
  storeRevoked,
} from "./storage.server";

export interface RevocationOrder {
  certificateId: number;
  user: SessionUser;
  reason: RevocationReasonId;
  description: string;
  date: Date;
  /** When the page that sent this order was opened, as an ISO timestamp. The same page sent twice is one order. */
  openedAt?: string | undefined;
}

export interface RevocationOutcome {
  /** The revocation is for a later date, and nothing is revoked yet. */
  isScheduled: boolean;
  revocationDate: Date;
  /** What went wrong after the certificate was revoked or scheduled, or null. */
  problem: string | null;
}

type RevocationCheck = Pick<RevocationOrder, "certificateId" | "user" | "date" | "reason">;

const refusal = (message: string) => new PortalError(message, { code: "OCA0F01E" });

/**
 * Returns the certificate when the user sees it although it belongs to somebody else, otherwise null. Whoever revokes it then must confirm
 * who they are.
 */
export async function findOfOthers(certificateId: number, user: SessionUser): Promise<CertificateRow | null> {
  const row = await findCertificate(getDb(), certificateId);
  return row && row.companyId !== user.companyId && maySee(user, row) ? row : null;
}

/** Returns the certificate when this order can be carried out. Changes nothing. Throws what `revokeCertificate` throws. */
export async function requireRevocable(
  order: RevocationCheck,
  now = new Date(),
  db: DbOrTrx = getDb(),
): Promise<CertificateRow> {
  const { certificateId, user, date, reason } = order;
  const row = await findVisibleCertificate(db, certificateId, user);
  if (!row) throw notFound();
  await requireMemberOrStaff(db, user, row, { task: "revoke-own-certificates", staffTask: "revoke-certificates" });
  const barrier = whyNotRevoke(row.status);
  if (barrier) throw refusal(barrier);
  const dateProblem = revocationDateProblem(date, validityOf(row), now);
  if (dateProblem) throw new PortalError(dateProblem, { code: "revocation.date", field: "revocationDate" });
  const reasonProblem = revocationReasonProblem(reason, row);
  if (reasonProblem) throw new PortalError(reasonProblem, { code: "revocation.reason", field: "revocationReason" });
  return row;
}

function validityOf({ id, status, startDate, expiryDate, revocationDate }: CertificateRow) {
  if (!startDate || !expiryDate) throw new Error(`Certificate ${id} has no validity.`);
  return { startDate, expiryDate, scheduledFor: status === "RequestRevoke" ? revocationDate : null };
}

/**
 * Revokes a certificate, or schedules its revocation. A scheduled revocation can be brought forward. When the key is compromised, every
 * other certificate of that key is revoked too. After an immediate revocation, the certificates are on the published base and delta CRLs
 * before the promise resolves; otherwise `problem` says what went wrong. Throws a PortalError (404) when the certificate is missing or
 * belongs to somebody else. Throws a PortalError when the status does not allow the revocation, for the field `revocationDate` when the
 * date is outside the validity or not before the scheduled one, and for the field `revocationReason` when a key that was reported as
 * compromised gets another reason.
 */
export async function revokeCertificate(order: RevocationOrder, now = new Date()): Promise<RevocationOutcome> {
  const plan = planRevocation(order.date, now);
  const { isScheduled, revocationDate } = plan;
  const found = await findVisibleCertificate(getDb(), order.certificateId, order.user);
  if (!found) throw notFound();
  const announce = await inTransaction(async (trx) => {
    await lockKey(trx, found.keyIdentity);
    const row = await findVisibleCertificate(trx, order.certificateId, order.user);
    if (row && isRepetition(row, order, plan)) {
      const missing = row.status === "Revoked" ? await listUnlisted(trx, row.keyIdentity) : [];
      return () => publishRevocation(missing, now);
    }
    const revoked = await storeRevocation(trx, order, plan, now);
    return () => announceRevocation(revoked, now);
  });
  return { isScheduled, revocationDate, problem: await announce() };
}

/**
 * Returns whether the same person has already ordered exactly this revocation. A form that is sent twice gets the answer of the first time.
 */
const isRepetition = (row: CertificateRow, order: RevocationOrder, plan: RevocationPlan): boolean =>
  matchesPlan(plan, row, order.openedAt) &&
  row.revocationReason === order.reason &&
  (row.revocationDescription ?? "") === order.description &&
  row.revokedBy === order.user.id;

/**
 * Stores a revocation. The caller has locked the key, so nobody else revokes a certificate of this key at the same time. Returns the
 * certificates that were revoked now.
 */
async function storeRevocation(trx: Trx, order: RevocationOrder, plan: RevocationPlan, now: Date) {
  const { user, reason, description } = order;
  const { isScheduled, revocationDate, invalidityDate } = plan;
  const row = await requireRevocable(order, now, trx);
  const revocation: Revocation = {
    revocationDate,
    invalidityDate,
    revocationReason: reason,
    revocationDescription: description || null,
    revokedBy: user.id,
  };
  await recordBroughtForward(trx, row, revocation, user.actor, now);
  const store = isScheduled ? storeRequest : storeRevoked;
  if (!(await store(trx, row, revocation, user.actor, now)))
    throw refusal("The certificate has been revoked meanwhile.");
  if (reason === KEY_COMPROMISED) await blockCompromised(trx, row, user.actor, now);
  if (isScheduled) {
    await scheduleOthersOfKey(trx, row, revocation, user.actor, now);
    return [];
  }
  return [row, ...(await revokeOthersOfKey(trx, row, revocation, user.actor, now))];
}

/** Carries out a scheduled revocation, unless somebody else already did. Returns the certificates that were revoked. */
function carryOut({ id, keyIdentity }: CertificateRow, now: Date): Promise<CertificateRow[]> {
  return inTransaction(async (trx) => {
    await lockKey(trx, keyIdentity);
    const row = await findCertificate(trx, id);
    if (row?.status !== "RequestRevoke") return [];
    const { revocationDate, revocationReason, revocationDescription, revokedBy } = row;
    if (!revocationDate || revocationReason === null)
      throw new Error(`Certificate ${id} has no revocation to carry out.`);
    const revocation = {
      revocationDate: new Date(revocationDate),
      invalidityDate: null,
      revocationReason,
      revocationDescription,
      revokedBy,
    };
    const actor = systemActor("revocations");
    if (!(await storeRevoked(trx, row, revocation, actor, now))) return [];
    return [row, ...(await revokeOthersOfKey(trx, row, revocation, actor, now))];
  });
}

/** Carries out the revocations that are due and publishes their CRLs. Runs as a job. Returns how many certificates were revoked. */
export async function carryOutDueRevocations(now = new Date()): Promise<number> {
  const revoked: CertificateRow[] = [];
  for (const row of await listDueRevocations(getDb(), now)) revoked.push(...(await carryOut(row, now)));
  await publishCrlsOf(revoked, now);
  return revoked.length;
}

import { availableParallelism } from "node:os";
import { assembleCertificate } from "~/ca/certificate/encode.server";
import { type CertificateProfile } from "~/ca/certificate/profile.server";
import { CaError } from "~/ca/errors.server";
import { type Actor, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { type Authority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { takeOverEntities } from "~/domain/codes/certificates/publishing.service.server";
import { recipientsFor } from "~/domain/companies/recipient.server";
import { type AccountMail, queueToAccounts } from "~/domain/mail/queue.service.server";
import { issueDueInvoices, type OrderToInvoice } from "~/domain/orders/invoices/issue-invoice.server";
import { getEnv } from "~/lib/env.server";
import { logError } from "~/lib/log.server";
import { getDb, type Trx } from "~db/connection.server";
import { listBlocked, lockKeys } from "~db/repositories/blocked-keys.server";
import { movePartnerSettings, takeOverPartners } from "~db/repositories/certificate-partners.server";
import {
  type CertificateRow,
  findCertificate,
  type IssuedCertificate,
  listInterrupted,
  storeIssued,
} from "~db/repositories/certificates.server";
import { listStandingUnder, markAwaitingInvoice } from "~db/repositories/standing-authorisations.server";
import { inTransaction } from "~db/transaction.server";
import { isWaitingForGrant, waitsForGrant } from "../queue/order-decision.policy";
import { announceRevocation } from "../revocation/publishing.server";
import { KEY_COMPROMISED } from "../revocation/reasons";
import { storeRevoked } from "../revocation/storage.server";
import { isStandingName } from "../standing/standing";
import { isReissue } from "../succession/reissue.policy";
import { linkReplaced, listPrevious, previousOf, storeRenewed } from "../succession/successor-issuing.server";
import { scheduleSuperseded } from "../succession/superseding.server";
import { issuedMail } from "./issued-mail.server";
import { verifySigned, undoIssuing } from "./issuing-undone.server";

/** The row as this call stored it, the row that another call stored or undid (`isOwn` is false then), or what stopped the issuing. */
export type Finished = { row: CertificateRow; isOwn: boolean } | { error: unknown };

/** The number of certificates that are signed at the same time. More would only make the rest of the portal wait for the thread pool. */
const AT_ONCE = 2 * availableParallelism();

const BLOCKED = "Its public key was reported as compromised.";
const REVOKED = "The CA that was to sign it has been revoked.";

/** Records an audit entry about the certificate of an order. */
export const recordAbout = (trx: Trx, row: CertificateRow, actor: Actor, event: string, message: string, now: Date) =>
  recordAudit(
    trx,
    {
      actor,
      event,
      message,
      userId: row.userId,
      orderId: row.orderId,
      certificateId: row.id,
      reference: row.serialNumber,
    },
    now,
  );

type Signed = Omit<IssuedCertificate, "id" | "serialNumber" | "searchText">;

/**
 * Returns the sentence with which the signer refuses a TBS certificate for good. Throws a PortalError when the approver has not granted it to
 * the signer yet, and every other error again.
 */
function refusalOf(error: unknown): string {
  if (!(error instanceof CaError)) throw error;
  if (error.code === "signer-refused") return error.message;
  throw error.code === "signer-no-grant" ? waitsForGrant() : error;
}

/**
 * Signs the recorded TBS certificate and verifies the result. Undoes the issuing when the certificate must never be issued: returns null
 * then, if somebody else did so first, and otherwise throws a PortalError.
 */
async function sign(
  { row, actor }: RecordedOrder,
  authority: Authority,
  standing: number | null,
  now: Date,
): Promise<Signed | null> {
  const { tbsCertificate: tbs, certificateProfile, serialNumber } = row;
  if (row.authorityId !== authority.id || !tbs || !certificateProfile || !serialNumber)
    throw new Error(`Nothing is recorded that '${authority.name}' could sign for certificate ${row.id}.`);
  const signer = await getSigner(authority.name);
  // RSASSA-PKCS1-v1_5 is deterministic: signing the same bytes again gives the same certificate (RFC 8017 §8.2.1).
  const signature = await signer.sign(tbs, standing).catch((error: unknown) => refusalOf(error));
  // What the signer refuses was never signed and never will be.
  if (typeof signature === "string") return undoIssuing(row, signature, actor, now).then(() => null);
  const der = assembleCertificate(tbs, signature, signer.hash);
  const profile = JSON.parse(certificateProfile) as CertificateProfile;
  const verified = verifySigned({ der, tbs, signature, hash: signer.hash }, authority.certificate, profile);
  if ("refusal" in verified) return undoIssuing(row, verified.refusal, actor, now).then(() => null);
  const { startDate, endDate, thumbprint, thumbprintSha256 } = verified.description;
  return { der: Buffer.from(der), thumbprint, thumbprintSha256, startDate, expiryDate: endDate };
}

/** A recorded order, and in whose name its certificate is issued. */
export interface RecordedOrder {
  row: CertificateRow;
  actor: Actor;
}

interface SignedOrder extends RecordedOrder {
  signed: Signed;
}

/** Signs the recorded TBS certificates of these orders, a few at the same time. Never throws what stopped one of them. */
export async function signAll(
  orders: readonly RecordedOrder[],
  authorities: readonly Authority[],
  now: Date,
): Promise<SignedOrders> {
  const all: SignedOrder[] = [];
  const stopped = new Map<number, Finished | null>();
  if (orders.length === 0) return { signed: all, stopped };
  const blocked = await listBlocked(
    getDb(),
    orders.map(({ row }) => row.keyIdentity),
  );
  const ids = orders.map(({ row }) => row.id);
  const under = getEnv().signerWay ? await listStandingUnder(getDb(), ids) : new Map<number, number>();
  const signOne = async ({ row, actor }: RecordedOrder) => {
    try {
      const authority = authorities.find(({ id }) => id === row.authorityId);
      if (!authority) throw new Error(`There is no CA ${row.authorityId} to sign certificate ${row.id}.`);
      const refusal = blocked.has(row.keyIdentity) ? BLOCKED : authority.revokedAt === null ? null : REVOKED;
      const signed = refusal === null ? await sign({ row, actor }, authority, under.get(row.id) ?? null, now) : null;
      if (refusal !== null) await undoIssuing(row, refusal, actor, now);
      if (signed) all.push({ row, actor, signed });
      else stopped.set(row.id, null);
    } catch (error) {
      stopped.set(row.id, { error });
    }
  };
  const waiting = [...orders];
  const work = async () => {
    for (let order = waiting.shift(); order; order = waiting.shift()) await signOne(order);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { signed: all.sort((one, other) => one.row.id - other.row.id), stopped };
}

/**
 * Revokes a certificate whose key was blocked while it was being signed. The signed certificate is kept, and revoked like the others of
 * that key.
 */
async function revokeAtOnce(trx: Trx, row: CertificateRow, now: Date): Promise<void> {
  const revocation = {
    revocationDate: new Date(Math.floor(now.getTime() / 1000) * 1000),
    invalidityDate: null,
    revocationReason: KEY_COMPROMISED,
    revocationDescription: BLOCKED,
    revokedBy: null,
  };
  if (!(await storeRevoked(trx, row, revocation, systemActor("issuing"), now)))
    throw new Error(`Certificate ${row.id} could not be revoked.`);
}

/** Stores signed certificates in one transaction. Returns the rows that this call stored; the others were stored or undone meanwhile. */
async function storeAll(orders: readonly SignedOrder[], now: Date): Promise<CertificateRow[]> {
  const stored = await inTransaction(async (trx) => {
    const keys = orders.map(({ row }) => row.keyIdentity);
    const corrected = await listPrevious(
      trx,
      orders.map(({ row }) => row).filter(({ isCorrection }) => isCorrection),
    );
    await lockKeys(trx, [...keys, ...[...corrected.values()].map(({ keyIdentity }) => keyIdentity)]);
    const actors = new Map(orders.map(({ row, actor }) => [row.id, actor]));
    const certificates = orders.map(({ row: { id, serialNumber, searchText }, signed }) => ({
      ...signed,
      id,
      serialNumber: serialNumber ?? "",
      searchText: `${searchText} ${(serialNumber ?? "").toLowerCase()}`,
    }));
    const issued = (await storeIssued(trx, certificates, now)).sort((one, other) => one.id - other.id);
    if (issued.length === 0) return { rows: issued, blocked: new Set<string>() };
    const rows = await linkReplaced(trx, issued, now);
    const blocked = await listBlocked(trx, keys);
    const previousOnes = await listPrevious(trx, rows);
    const recipientOf = await recipientsFor(trx, rows);
    const mails: AccountMail[] = [];
    const invoices: Required<Pick<OrderToInvoice, "orderId" | "actor" | "known">>[] = [];
    for (const row of rows) {
      const actor = actors.get(row.id) as Actor;
      const message = `The certificate for ${row.commonName} was issued.`;
      await recordAbout(trx, row, actor, "certificate.issued", message, now);
      if (blocked.has(row.keyIdentity)) {
        await revokeAtOnce(trx, row, now);
        continue;
      }
      const previous = previousOf(row, previousOnes);
      const recipient = recipientOf(row);
      if (previous && !isReissue(row)) await storeRenewed(trx, previous, row, actor, now);
      if (previous) await takeOverPartners(trx, previous.id, row.id);
      if (previous?.companyId === row.companyId) await movePartnerSettings(trx, previous.id, row.id, now);
      if (previous) await takeOverEntities(trx, previous, row, actor, now);
      if (previous && row.isCorrection) await scheduleSuperseded(trx, previous, row, now);
      mails.push(issuedMail(row, previous, recipient, now));
      invoices.push({ orderId: row.orderId, actor, known: { certificate: row, recipient } });
    }
    await queueToAccounts(trx, mails, now);
    // Without an order under a standing authorisation nothing is asked of the database.
    const standing = rows.filter((row) => isStandingName(row.contactAnswerBy) || isStandingName(row.csrCheckedBy));
    const monthly = await markAwaitingInvoice(
      trx,
      standing.map(({ id }) => id),
    );
    const due = invoices.filter(({ known }) => !monthly.has(known.certificate.id));
    await issueDueInvoices(trx, due, now); // the last step, because other transactions wait for the next number
    return { rows, blocked };
  });
  const revoked = stored.rows.filter(({ keyIdentity }) => stored.blocked.has(keyIdentity));
  if (revoked.length > 0) await announceRevocation(revoked, now);
  return stored.rows.map((row) => (revoked.includes(row) ? { ...row, status: "Revoked" } : row));
}

/** Stores signed certificates in one transaction. When that fails, each is stored by itself, so that one does not stop the others. */
async function storeEach(
  orders: readonly SignedOrder[],
  now: Date,
  finished: Map<number, Finished | null>,
): Promise<void> {
  if (orders.length === 0) return;
  try {
    for (const row of await storeAll(orders, now)) finished.set(row.id, { row, isOwn: true });
  } catch (error) {
    const [order, ...others] = orders;
    if (others.length > 0) for (const one of orders) await storeEach([one], now, finished);
    else if (order) finished.set(order.row.id, { error });
  }
}

/** Orders whose certificates are signed, and what stopped the others. */
export interface SignedOrders {
  signed: readonly SignedOrder[];
  /** Null for an order that somebody else undid. */
  stopped: Map<number, Finished | null>;
}

/** Stores signed certificates that nobody else has stored, in one transaction. Returns for each of `orders` what came of it. */
export async function storeSigned(
  orders: readonly RecordedOrder[],
  { signed, stopped }: SignedOrders,
  now: Date,
): Promise<Map<number, Finished>> {
  const finished = new Map(stopped);
  await storeEach(signed, now, finished);
  const answer = new Map<number, Finished>();
  for (const { row } of orders)
    answer.set(row.id, finished.get(row.id) ?? { row: (await findCertificate(getDb(), row.id)) ?? row, isOwn: false });
  return answer;
}

/**
 * Signs the recorded TBS certificates of these orders, and stores those that nobody else has stored, in one transaction. Returns for each
 * order what came of it. An order whose issuing fails stays recorded, and the job tries again.
 */
export const finishIssuing = async (
  orders: readonly RecordedOrder[],
  authorities: readonly Authority[],
  now: Date,
): Promise<Map<number, Finished>> => storeSigned(orders, await signAll(orders, authorities, now), now);

/** How many interrupted orders are stored in one transaction. */
const SLICE = 200;

/**
 * Completes every issuing that a crash interrupted between recording and storing. Runs at the start and as a job, and is safe in several
 * processes. A certificate that must not be issued is undone; the others are signed again. A failure is logged and does not stop the rest;
 * the first failure is thrown at the end. Returns how many certificates this call completed.
 */
export async function finishInterruptedIssuing(now = new Date()): Promise<number> {
  const authorities = await listAuthorities(getDb());
  const actor = systemActor("issuing");
  const orders = (await listInterrupted(getDb())).map((row) => ({ row, actor }));
  const finished: Finished[] = [];
  for (let start = 0; start < orders.length; start += SLICE) {
    const some = orders.slice(start, start + SLICE);
    finished.push(...(await finishIssuing(some, authorities, now)).values());
  }
  const errors = finished.flatMap((one) => ("error" in one ? [one.error] : []));
  const failures = errors.filter((error) => !isWaitingForGrant(error));
  for (const failure of failures) logError(failure);
  if (failures.length > 0) throw failures[0];
  return finished.filter((one) => "row" in one && one.isOwn).length;
}

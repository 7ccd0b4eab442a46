import { assembleCertificate } from "~/ca/certificate/encode.server";
import { type CertificateProfile } from "~/ca/certificate/profile.server";
import { type Csr } from "~/ca/csr/read.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor, recordAudit, systemActor } from "~/domain/audit/audit.service.server";
import { type Authority, findIssuer, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { getSigner } from "~/domain/authorities/signers.server";
import { recipientFor } from "~/domain/companies/recipient.server";
import { blockBrokenKeys } from "~/domain/keys/broken-keys.service.server";
import { compareAgain } from "~/domain/keys/key-comparison.service.server";
import { SHARED_PRIME } from "~/domain/keys/key-rules.server";
import { type Sharing } from "~/domain/keys/shared-primes.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { certificateIssuedMail } from "~/domain/mail/templates/certificates.server";
import { issueDueInvoice } from "~/domain/orders/invoices/issue-invoice.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getEnv } from "~/lib/env.server";
import { isPortalError, notFound, PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { paths } from "~/lib/paths";
import { getDb, type Trx } from "~db/connection.server";
import { isKeyBlocked, lockKey } from "~db/repositories/blocked-keys.server";
import {
  type CertificateRow,
  findCertificate,
  listInterrupted,
  recordTbs,
  storeIssued,
} from "~db/repositories/certificates.server";
import { inTransaction } from "~db/transaction.server";
import { isOpenOrder, NOT_OPEN, notOpen } from "../queue/order-decision.policy";
import { announceRevocation } from "../revocation/publishing.server";
import { KEY_COMPROMISED } from "../revocation/reasons";
import { storeRevoked } from "../revocation/storage.server";
import { isReissue } from "../succession/reissue.policy";
import { findPrevious, renewedFacts, storeRenewed } from "../succession/successor-issuing.server";
import { csrOf, csrRefused, requireAcceptableCsr, requireApprovable } from "./approval.server";
import { prepareForOrder } from "./issuance-request.server";
import { verifySigned, undoIssuing } from "./issuing-undone.server";

/**
 * Approves an order and issues its certificate. The serial number and the TBS certificate are recorded first. The certificate is then
 * signed outside any transaction, checked, and stored with its audit entry and message. After a crash, `finishInterruptedIssuing` completes
 * the issuing with the same bytes.
 *
 * Throws a PortalError when the order is not open, a check is missing, the user placed the order, the recorded certificate must not be
 * issued, or somebody else undid the approval in the meantime.
 */
export async function approveOrder(
  certificateId: number,
  user: SessionUser,
  now = new Date(),
): Promise<CertificateRow> {
  const row = await findCertificate(getDb(), certificateId);
  if (!row) throw notFound();
  if (!isOpenOrder(row)) throw notOpen(row);
  const csr = csrOf(row);
  await requireApprovable(getDb(), row, csr, user, now); // reports what is missing before anything is prepared
  await requireAcceptableCsr(csr, row, user);
  const authority = await findIssuer(getDb(), row.hierarchy);
  if (!authority) throw new Error(`There is no issuing CA of the hierarchy '${row.hierarchy}'.`);
  await getSigner(authority.name); // a missing key stops the approval before anything is recorded
  const previous = await findPrevious(getDb(), row);
  const { serial, tbs, profile } = prepareForOrder(row, csr, previous, authority, now);

  const recorded = await inTransaction(async (trx) => {
    await lockKey(trx, row.keyIdentity);
    const sharing = await compareOrder(trx, csr);
    if (sharing) return sharing;
    const isFirst = await recordTbs(trx, row.id, {
      authorityId: authority.id,
      serialNumber: serial,
      tbsCertificate: Buffer.from(tbs),
      certificateProfile: JSON.stringify(profile),
      decidedAt: now,
      decidedBy: user.id,
    });
    const current = await findCertificate(trx, row.id);
    if (!isFirst || !current) throw notOpen(current ?? row);
    await requireApprovable(trx, current, csr, user, now); // the key and the row are locked, so nothing that is checked here can change
    await record(
      trx,
      current,
      user.actor,
      "certificate.approved",
      `The order was approved; serial number ${serial}.`,
      now,
    );
    return current;
  });
  if ("keyIdentities" in recorded) {
    const finder = { userId: row.userId, actor: user.actor };
    await blockBrokenKeys([row.keyIdentity, ...recorded.keyIdentities], finder, now);
    throw csrRefused([SHARED_PRIME]);
  }
  return finishApproval(recorded, authority, user, now);
}

/**
 * Compares the key of an order with the keys that were stored since its last comparison. An order whose key shares a prime with another is
 * not approved.
 */
const compareOrder = async (trx: Trx, { keyIdentity, publicKey }: Csr): Promise<Sharing | null> =>
  publicKey.algorithm === "RSA" ? compareAgain(trx, { keyIdentity, modulus: publicKey.modulus }) : null;

async function finishApproval(
  recorded: CertificateRow,
  authority: Authority,
  user: SessionUser,
  now: Date,
): Promise<CertificateRow> {
  await finishIssuing(recorded, authority, user.actor, now);
  const issued = (await findCertificate(getDb(), recorded.id)) ?? recorded;
  if (!issued.der)
    throw isOpenOrder(issued) ? new PortalError(TAKEN_BACK, { code: "certificate.undone" }) : notOpen(issued);
  if (issued.status === "Revoked") throw new PortalError(REVOKED_AT_ONCE, { code: "certificate.key-blocked" });
  return issued;
}

/**
 * Does the same as `approveOrder`, and gives the same answer when the same person sends the approval again, for example by a double click.
 * If the first approval is still being signed, this call completes it with the same bytes.
 */
export async function approveOrderOnce(
  certificateId: number,
  user: SessionUser,
  now = new Date(),
): Promise<CertificateRow> {
  try {
    return await approveOrder(certificateId, user, now);
  } catch (error) {
    const row = await findCertificate(getDb(), certificateId);
    if (!isPortalError(error) || error.code !== NOT_OPEN || row?.decidedBy !== user.id || !row.tbsCertificate)
      throw error;
    if (row.status === "Issued" || row.status === "Downloaded") return row;
    const authority = (await listAuthorities(getDb())).find(({ id }) => id === row.authorityId);
    if (row.status !== "Pending" || !authority) throw error;
    return finishApproval(row, authority, user, now);
  }
}

const BLOCKED = "Its public key was reported as compromised.";
const TAKEN_BACK =
  "The approval was taken back by somebody else while the certificate was being signed: nothing was issued.";
const REVOKED_AT_ONCE =
  "The public key was reported as compromised while the certificate was being issued: it has been revoked at once.";

const record = (trx: Trx, row: CertificateRow, actor: Actor, event: string, message: string, now: Date) =>
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

/** Signs the recorded TBS certificate and stores the result, unless another call has stored it. Returns whether this call stored it. */
async function finishIssuing(row: CertificateRow, authority: Authority, actor: Actor, now: Date): Promise<boolean> {
  const { tbsCertificate: tbs, certificateProfile, serialNumber } = row;
  if (row.authorityId !== authority.id || !tbs || !certificateProfile || !serialNumber)
    throw new Error(`Nothing is recorded that '${authority.name}' could sign for certificate ${row.id}.`);
  if (await isKeyBlocked(getDb(), row.keyIdentity)) return undoIssuing(row, BLOCKED, actor, now);
  const signer = await getSigner(authority.name);
  // RSASSA-PKCS1-v1_5 is deterministic: signing the same bytes again gives the same certificate (RFC 8017 §8.2.1).
  const signature = await signer.sign(tbs);
  const der = assembleCertificate(tbs, signature, signer.hash);
  const profile = JSON.parse(certificateProfile) as CertificateProfile;
  const verified = verifySigned({ der, tbs, signature, hash: signer.hash }, authority.certificate, profile);
  if ("refusal" in verified) return undoIssuing(row, verified.refusal, actor, now);
  const { startDate, endDate, thumbprint } = verified.description;

  const outcome = await inTransaction(async (trx) => {
    await lockKey(trx, row.keyIdentity);
    const isStored = await storeIssued(trx, row.id, serialNumber, {
      der: Buffer.from(der),
      thumbprint,
      issuedAt: now,
      startDate,
      expiryDate: endDate,
      searchText: `${row.searchText} ${serialNumber.toLowerCase()}`,
    });
    if (!isStored) return "known";
    await record(trx, row, actor, "certificate.issued", `The certificate for ${row.commonName} was issued.`, now);
    if (await isKeyBlocked(trx, row.keyIdentity)) {
      await revokeAtOnce(trx, row, now);
      return "revoked";
    }
    const previous = await findPrevious(trx, row);
    if (previous && !isReissue(row)) await storeRenewed(trx, previous, row, actor, now);
    await queueIssuedMail(trx, { ...row, startDate, expiryDate: endDate }, previous, serialNumber, now);
    await issueDueInvoice(trx, row.orderId, actor, now);
    return "issued";
  });
  if (outcome === "revoked") await announceRevocation([row], now);
  return outcome !== "known";
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

async function queueIssuedMail(
  trx: Trx,
  row: CertificateRow & { startDate: string; expiryDate: string },
  previous: CertificateRow | null,
  serialNumber: string,
  now: Date,
): Promise<void> {
  const owner = await recipientFor(trx, row);
  const { publicUrl } = getEnv();
  const mail = certificateIssuedMail({
    name: `${owner.firstName} ${owner.lastName}`,
    orderNumber: orderNumber(row.orderId),
    commonName: row.commonName,
    serialNumber,
    startDate: row.startDate,
    expiryDate: row.expiryDate,
    downloadUrl: publicUrl + paths.certificateDownload(row.id),
    repositoryUrl: publicUrl + paths.publicRepository,
    renewed: previous && !isReissue(row) ? renewedFacts(previous, row) : null,
    replacesId: isReissue(row) ? row.previousCertificateId : null,
  });
  await queueOwnMail(trx, owner.id, { dedupeKey: `certificate-issued:${row.id}`, orderId: row.orderId, mail }, now);
}

/**
 * Completes every issuing that a crash interrupted between recording and storing. Runs at the start and as a job, and is safe in several
 * processes. A certificate that must not be issued is undone; the others are signed again. A failure is logged and does not stop the rest;
 * the first failure is thrown at the end. Returns how many certificates this call completed.
 */
export async function finishInterruptedIssuing(now = new Date()): Promise<number> {
  let finished = 0;
  const failures: unknown[] = [];
  const authorities = await listAuthorities(getDb());
  for (const row of await listInterrupted(getDb())) {
    try {
      const authority = authorities.find(({ id }) => id === row.authorityId);
      if (!authority) throw new Error(`There is no CA ${row.authorityId} to sign certificate ${row.id}.`);
      if (await finishIssuing(row, authority, systemActor("issuing"), now)) finished += 1;
    } catch (error) {
      logError(error);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return finished;
}

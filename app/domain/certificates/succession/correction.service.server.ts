import { type SessionUser } from "~/domain/accounts/session-user";
import { requireMember } from "~/domain/companies/membership.server";
import { keyRefusals } from "~/domain/keys/key-rules.server";
import { recordCorrection } from "~/domain/orders/corrections/record.server";
import { type OrderClaim, unclaimed } from "~/domain/orders/order-claim";
import { withinOrderLimit } from "~/domain/orders/order-limit.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { findReissueByCsr, insertCertificate } from "~db/repositories/certificates.server";
import { findOrder, insertOrder } from "~db/repositories/orders.server";
import { lockCertificate } from "~db/repositories/renewals.server";
import { holdUser } from "~db/repositories/users.server";
import { type NewRow } from "~db/tables";
import { inTransaction } from "~db/transaction.server";
import { subjectColumns, searchColumns } from "../purchase/certificate-columns.server";
import { type ContactSnapshot } from "../purchase/contact.schema";
import { technicalContact } from "../purchase/contact.service.server";
import { USAGE_FLAGS, type UsageFlag, usageFlags } from "../purchase/fields";
import { namesToBe } from "../request/certified-names.server";
import { withControlMarks } from "../request/confirmed-names.server";
import { notAccepted, refusedCsr, shownCsr } from "../request/csr-import.service.server";
import { explainRefusals } from "../request/explained-rules.server";
import { captionedNames } from "../request/subject-names.server";
import { CORRECTION_CODE, getCertificateToCorrect, requireCorrectable } from "./correctable.server";
import {
  type CorrectedCertificate,
  correctedDetails,
  readCorrection,
  requireNewCorrectionKey,
  type SentCorrection,
} from "./correction-csr.server";
import { type CorrectionOrder, recordOrderedCorrection } from "./correction-records.server";
import { type Preceding } from "./original.server";
import { freeOrderRow, reissueRow } from "./reissue-rows.server";

/** Returns the certificate when this user can correct it now. Throws what `getCertificateToCorrect` and `requireCorrectable` throw. */
export async function getCorrectable(id: number, user: SessionUser, now = new Date()): Promise<Preceding> {
  const preceding = await getCertificateToCorrect(id, user);
  await requireCorrectable(getDb(), preceding.row, now);
  return preceding;
}

/** Returns the usage of a certificate that this user corrects. Throws what `getCertificateToCorrect` throws. */
export async function usageToCorrect(id: number, user: SessionUser): Promise<UsageFlag[]> {
  const { row } = await getCertificateToCorrect(id, user);
  return USAGE_FLAGS.filter((flag) => row[flag]);
}

/** Returns the order of a correction with exactly this CSR, or null. The same form sent again gives the same order. */
async function findSentBefore(db: DbOrTrx, { row }: Preceding, { csr }: CorrectedCertificate) {
  const known = await findReissueByCsr(db, row.id, csr.sha256);
  return known?.isCorrection ? known.orderId : null;
}

/**
 * Checks a correction before the user confirms it. Returns the details of the certificate to be, what differs, and the names that it will have.
 * Throws what `getCorrectable` and `readCorrection` throw, and a PortalError for the field `csr` when the key cannot be used.
 */
export async function checkCorrection(id: number, sent: SentCorrection, user: SessionUser, now = new Date()) {
  const preceding = await getCorrectable(id, user, now);
  const corrected = await readCorrection(preceding, sent, user, now);
  await requireNewCorrectionKey(getDb(), corrected.csr, preceding);
  const { usage, changes } = corrected;
  const shown = shownCsr(correctedDetails(preceding, corrected), { oftpid: "", usage, isRenewal: true });
  const names = namesToBe({ ...shown, ssid: preceding.row.ssid });
  return {
    changes,
    names: captionedNames(names),
    details: await withControlMarks(shown, user.companyId, "customer", now),
  };
}

/** A checked correction, and who orders it, as the technical contact. */
interface CorrectionToStore {
  preceding: Preceding;
  corrected: CorrectedCertificate;
  technical: ContactSnapshot;
}

/** Returns the pending certificate of a correction: that of a replacement, with the corrected names and usage, ordered by this user. */
function correctionRow(
  { preceding, corrected, technical }: CorrectionToStore,
  { orderId, userId }: { orderId: number; userId: number },
  now: Date,
): NewRow<"certificates"> {
  const { csr, subject, requestedNames, usage } = corrected;
  const holder = {
    ...subjectColumns(subject),
    subjectAlternateName: JSON.stringify(requestedNames),
    ssid: preceding.row.ssid,
  };
  return {
    ...reissueRow(preceding, csr, { orderId, checkedBy: null }, now),
    ...holder,
    ...searchColumns(holder),
    ...usageFlags(usage),
    userId,
    technicalContact: JSON.stringify(technical),
    isCorrection: true,
  };
}

/** Throws a PortalError for the field `csr` when the key of a correction cannot be used. The caller has locked the key. */
async function requireUsableKey(trx: Trx, preceding: Preceding, { csr }: CorrectedCertificate, user: SessionUser) {
  const refusals = await keyRefusals(trx, csr, user.companyId);
  if (refusals.length > 0)
    throw refusedCsr(notAccepted(explainRefusals(refusals)), { code: CORRECTION_CODE, field: "csr" });
  await requireNewCorrectionKey(trx, csr, preceding);
}

/** Stores the order of a correction in one transaction. Returns its id, or null when the claim already has its order. */
async function storeCorrection(
  trx: Trx,
  user: SessionUser,
  correction: CorrectionToStore,
  claim: OrderClaim,
  now: Date,
): Promise<number | null> {
  const { preceding, corrected } = correction;
  const { row } = preceding;
  await holdUser(trx, user.id);
  if (!(await claim.hold(trx))) return null;
  await requireMember(trx, user, row, "place-orders");
  await lockKey(trx, corrected.csr.keyIdentity);
  const before = await findSentBefore(trx, preceding, corrected);
  if (before !== null) return before;
  await requireCorrectable(trx, (await lockCertificate(trx, row.id)) ?? row, now);
  await requireUsableKey(trx, preceding, corrected, user);
  const first = await findOrder(trx, row.orderId);
  if (!first) throw new Error(`Certificate ${row.id} has no order.`);
  const remarks = `Correction of certificate ${row.id}, free of charge.`;
  const orderId = await insertOrder(trx, { ...freeOrderRow(first, remarks, now), userId: user.id });
  const certificateId = await insertCertificate(trx, correctionRow(correction, { orderId, userId: user.id }, now));
  const about = { order: first, ofCertificateId: row.id, kind: "reissue", certificateId } as const;
  const number = await recordCorrection(trx, user, { ...about, changes: corrected.changes }, now);
  const order: CorrectionOrder = { orderId, certificateId, corrects: row, changes: corrected.changes, number };
  await recordOrderedCorrection(trx, user, order, now);
  await claim.settle(trx, orderId);
  return orderId;
}

/**
 * Orders the correction of a certificate, free of charge: a pending order that staff check and approve like every other one. Returns the id
 * of the order; the same CSR sent again gives the same order. Throws what `checkCorrection` throws; then nothing is stored.
 */
export async function orderCorrection(
  id: number,
  sent: SentCorrection,
  user: SessionUser,
  { claim = unclaimed, now = new Date() }: { claim?: OrderClaim; now?: Date } = {},
): Promise<number | null> {
  const preceding = await getCertificateToCorrect(id, user);
  const corrected = await readCorrection(preceding, sent, user, now);
  const before = await findSentBefore(getDb(), preceding, corrected);
  if (before !== null && claim === unclaimed) return before;
  await requireCorrectable(getDb(), preceding.row, now);
  const correction = { preceding, corrected, technical: await technicalContact(user) };
  return withinOrderLimit(user, () => inTransaction((trx) => storeCorrection(trx, user, correction, claim, now)));
}

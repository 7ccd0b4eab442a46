import { type Csr } from "~/ca/csr/read.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { recordAudit } from "~/domain/audit/audit.service.server";
import { listAuthorities } from "~/domain/authorities/authorities.service.server";
import { issuerOfSuccessor } from "~/domain/authorities/life.policy";
import { keyRefusals } from "~/domain/keys/key-rules.server";
import { orderNumber } from "~/domain/orders/order-number";
import { type BrokenRule } from "~/lib/broken-rule";
import { notFound, PortalError } from "~/lib/errors";
import { fourEyes } from "~/lib/four-eyes.server";
import { type DbOrTrx, getDb, type Trx } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import {
  changeCertificate,
  findCertificate,
  findReissueByCsr,
  insertCertificate,
} from "~db/repositories/certificates.server";
import { findOrder, insertOrder } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { approveOrder } from "../issuing/issuance.service.server";
import { parseContact } from "../purchase/contact.schema";
import { requestAuthorisation } from "../queue/authorisation-request.server";
import { NAMESAKE } from "../queue/four-eyes.policy";
import { requireFourEyes, whyNotAuthorised } from "../queue/four-eyes.server";
import { controlRules, withControlMarks } from "../request/confirmed-names.server";
import { importCsr, notAccepted, refusedCsr, shownCsr } from "../request/csr-import.service.server";
import { explainRefusals } from "../request/explained-rules.server";
import { limitRulesOfSuccessor } from "../request/issuer-limit-rules.server";
import { type SentCsr } from "../request/sent-csr.server";
import { type Preceding, readPreceding } from "./original.server";
import { freeOrderRow, reissueRow } from "./reissue-rows.server";
import { REISSUABLE, whyNotReissue } from "./reissue.policy";
import { certifiedDetails } from "./renewal-view.server";
import { differencesRule, newKeyRule } from "./successor-csr.server";

const CODE = "certificate.reissue";

const refusal = (message: string) => new PortalError(message, { code: CODE });

/**
 * Returns the certificate when this user can replace it now. Nobody can replace a certificate of an order that they placed themselves.
 * Throws a PortalError (404) when there is no such certificate, or a PortalError that says why it cannot be replaced.
 */
export async function getReissuable(id: number, user: SessionUser, now = new Date()): Promise<Preceding> {
  await requireTask(getDb(), user.actor, "reissue-certificates");
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  const barrier = whyNotReissue(row, now);
  if (barrier) throw refusal(barrier);
  await requireFourEyes(getDb(), "check", row, user);
  const preceding = readPreceding(row);
  if (!preceding) throw notFound();
  return preceding;
}

/** Throws a PortalError for the field `csr` when the key of the CSR cannot be used. A replacement needs a key that no certificate has. */
async function requireNewKey(db: DbOrTrx, csr: Csr, preceding: Preceding): Promise<void> {
  const broken = await newKeyRule(db, csr, preceding);
  const known = explainRefusals(await keyRefusals(db, csr, preceding.row.companyId));
  const rules = [...known, ...(broken && known.every(({ message }) => message !== broken.message) ? [broken] : [])];
  if (rules.length > 0) throw refusedCsr(notAccepted(rules), { code: CODE, field: "csr" });
}

/** Returns the rules by which the CA that would issue the replacement may not certify what it takes over. */
async function limitRulesOfReplacement({ row }: Preceding, now: Date): Promise<BrokenRule[]> {
  const issuer = issuerOfSuccessor(await listAuthorities(getDb()), { ...row, end: new Date(row.expiryDate) }, now);
  return issuer ? limitRulesOfSuccessor(row, issuer) : [];
}

/**
 * Returns the CSR when it can replace the certificate. Throws a PortalError for the field `csr` that names everything that is wrong, and a
 * PortalError (429) for the used field when the account has tried too many CSRs.
 */
async function readReplacement(preceding: Preceding, { input, field }: SentCsr, { actor }: SessionUser, now: Date) {
  const read = await importCsr(input, { ...preceding.row, actor }, preceding.row.ssid);
  if (!read.ok) throw refusedCsr(read, { code: CODE, field: read.retryAfter === undefined ? "csr" : field });
  const differences = differencesRule(read.csr, preceding);
  const broken = [
    ...(differences ? [differences] : []),
    ...(await controlRules(certifiedDetails(read.details, preceding), preceding.row.companyId, now)),
    ...(await limitRulesOfReplacement(preceding, now)),
  ];
  if (broken.length > 0) throw refusedCsr(notAccepted(broken), { code: CODE, field: "csr" });
  return read;
}

/**
 * Checks a replacement before the user confirms it. Returns the details of the new certificate. Throws what `getReissuable` and
 * `readReplacement` throw, and a PortalError for the field `csr` when the key cannot be used.
 */
export async function checkReissue(id: number, csr: SentCsr, user: SessionUser, now = new Date()) {
  const previous = await getReissuable(id, user, now);
  const read = await readReplacement(previous, csr, user, now);
  if (!(await findReissueByCsr(getDb(), id, read.csr.sha256))) await requireNewKey(getDb(), read.csr, previous);
  const shown = shownCsr(certifiedDetails(read.details, previous), { oftpid: "", usage: [], isRenewal: true });
  return withControlMarks(shown, previous.row.companyId, "staff", now);
}

/** Why a reissue waits under the strict four-eyes principle. */
const FOR_OTHERS = "Others record its checks and approve it, like an order (four-eyes principle).";

/** Returns how the contact is asked, given why they cannot authorise the reissue by the link. */
function askedText(barrier: string | null): string {
  if (barrier === null) return "is asked by email to authorise it.";
  return barrier === NAMESAKE
    ? "has the same name as a member of staff: staff make sure by telephone that it is another person, and record the answer."
    : "has the name or an email address of a member of staff and cannot authorise it: somebody else at the organisation is asked, and the answer is recorded with the order.";
}

/** Returns what happens after a reissue under the strict four-eyes principle, for its page, or null in a small office. */
export async function reissueNotice({ row }: Preceding): Promise<string | null> {
  if (fourEyes() !== "strict") return null;
  const contact = `The authentication contact, ${parseContact(row.authenticationContact).name}, ${row.authenticationEmail},`;
  return `The reissue waits in the queue. ${FOR_OTHERS} ${contact} ${askedText(await whyNotAuthorised(getDb(), row))}`;
}

interface Reissue {
  csr: SentCsr;
  /** The reason for the audit trail. */
  reason: string;
}

async function storeReissue(
  trx: Trx,
  preceding: Preceding,
  csr: Csr,
  { reason }: Reissue,
  user: SessionUser,
  now: Date,
): Promise<number> {
  const previous = preceding.row;
  await requireTask(trx, user.actor, "reissue-certificates");
  await lockKey(trx, csr.keyIdentity);
  const known = await findReissueByCsr(trx, previous.id, csr.sha256);
  if (known) return known.id; // the same form was sent before
  if (!(await changeCertificate(trx, previous.id, REISSUABLE, {}, now)))
    throw refusal(whyNotReissue((await findCertificate(trx, previous.id)) ?? previous, now) ?? "");
  await requireNewKey(trx, csr, preceding);
  const first = await findOrder(trx, previous.orderId);
  if (!first) throw new Error(`Certificate ${previous.id} has no order.`);
  const remarks = `Reissue of certificate ${previous.id}, free of charge: ${reason}`.slice(0, 500);
  const orderId = await insertOrder(trx, freeOrderRow(first, remarks, now));
  const row = reissueRow(preceding, csr, { orderId, checkedBy: fourEyes() === "strict" ? null : user.email }, now);
  const certificateId = await insertCertificate(trx, row);
  if (fourEyes() === "strict") await requestAuthorisation(trx, { certificateId, clientName: null }, now);
  const message = `Certificate ${previous.id} is reissued free of charge, as certificate ${certificateId}: ${reason}`;
  const about = { actor: user.actor, event: "certificate.reissued", message, userId: previous.userId };
  await recordAudit(trx, { ...about, orderId, certificateId, reference: orderNumber(orderId) }, now);
  await recordAudit(
    trx,
    { ...about, orderId: previous.orderId, certificateId: previous.id, reference: previous.serialNumber },
    now,
  );
  return certificateId;
}

/**
 * Replaces a certificate for the rest of its validity. In a small office this stores a free order with the checks of the first one, then
 * approves and issues it. Under the strict four-eyes principle it stores a free order without checks, which others check and approve, and asks the
 * authentication contact. The
 * same form sent again gives the same certificate. Returns the id of the new certificate, and in `waits` the reason why it waits in the
 * queue, or null. Throws what `checkReissue` throws; then nothing is stored.
 */
export async function reissueCertificate(id: number, form: Reissue, user: SessionUser, now = new Date()) {
  const previous = await getReissuable(id, user, now);
  const { csr } = await readReplacement(previous, form.csr, user, now);
  const certificateId = await inTransaction((trx) => storeReissue(trx, previous, csr, form, user, now));
  if ((await findCertificate(getDb(), certificateId))?.status !== "Pending") return { certificateId, waits: null };
  if (fourEyes() === "strict") return { certificateId, waits: FOR_OTHERS };
  try {
    await approveOrder(certificateId, user, now);
    return { certificateId, waits: null };
  } catch (error) {
    if (error instanceof PortalError) return { certificateId, waits: error.message };
    throw error;
  }
}

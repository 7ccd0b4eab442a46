import { type SessionUser } from "~/domain/accounts/session-user";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { leftText, personName } from "~/domain/companies/people.server";
import { compareAhead } from "~/domain/keys/key-comparison.service.server";
import { isCertifiedForAnother, isOfOtherSubject, type KeyHolder } from "~/domain/keys/key-use.policy";
import { findStop } from "~/domain/mail/contact-stop.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { refundText } from "~/domain/orders/refund.policy";
import { salesOrderForm } from "~/domain/orders/sales-order.service.server";
import { storedVat } from "~/domain/reference/vat.service.server";
import { notFound } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import { listAuditEntriesOfCertificate } from "~db/repositories/audit-entries.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findCountry } from "~db/repositories/countries.server";
import { listHeldOfOrder } from "~db/repositories/held-mails.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { findOrder } from "~db/repositories/orders.server";
import { findUserFor } from "~db/repositories/users.server";
import { peopleOf } from "../catalogue/people.server";
import { orderTypeText } from "../certificates.policy";
import { csrOf, keptSsid, requireAcceptableCsr, requireApprovable, rsaKeysOf } from "../issuing/approval.server";
import { requireIssuing } from "../issuing/issuing-undone.server";
import { judgeOrder } from "../issuing/order-lints.server";
import { hasOtherDomain } from "../purchase/contact.policy";
import { parseContact } from "../purchase/contact.schema";
import { USAGE_FLAGS, USAGE_LABELS } from "../purchase/fields";
import { namesOfOrder } from "../request/certified-names.server";
import { controlMarksOfOrder, waitsForNames } from "../request/confirmed-names.server";
import { csrVerdict } from "../request/csr-import.service.server";
import { explainRefusals, explainRule } from "../request/explained-rules.server";
import { readCsrOfOrder } from "../request/given-subject.server";
import { captionedNames } from "../request/subject-names.server";
import { checkChoicesOf } from "./check-choices.server";
import { CHECK_TITLES, checksOf, staffChecksOf } from "./checks.policy";
import { listEvidenceOf } from "./evidence.service.server";
import { readFourEyes } from "./four-eyes.server";
import { isIssuing, isOpenOrder, notOpen, outcomeOf } from "./order-decision.policy";
import { comparisonOf, factsOf, saleFactsOf } from "./order-findings.server";
import { assigneeOf, listCommentsAbout } from "./order-work.service.server";
import { type StaffCheck } from "./queue-fields";
import { contactBarrierOf, deciderOf, issuingText, tasksOf, whatMay } from "./queue-tasks.server";
import { keyMarksOf, marksOfOrder } from "./request-marks.server";
import { validityText } from "./validity.server";

const checkRecords = (row: CertificateRow) => ({
  contact: { at: row.contactAnsweredAt, by: row.contactAnswerBy, note: row.contactNote },
  organisation: { at: row.organisationCheckedAt, by: row.organisationCheckedBy, note: row.organisationNote },
  csr: { at: row.csrCheckedAt, by: row.csrCheckedBy, note: row.csrNote },
});

/**
 * Returns the other orders and certificates with the key of an order. The customer may have ordered twice, or the key may belong to another
 * account.
 */
async function otherHoldersOfKey(row: CertificateRow) {
  const others = (await listKeyHolders(getDb(), row.keyIdentity)).filter(({ id }) => id !== row.id);
  const isForeign = (holder: KeyHolder) => isCertifiedForAnother(holder, row.companyId);
  const shown = (holder: (typeof others)[number]) => ({
    id: holder.id,
    orderNumber: orderNumber(holder.orderId),
    status: holder.status,
    commonName: holder.commonName,
    /** Null when it belongs to the same customer. */
    owner:
      holder.companyId === row.companyId
        ? null
        : { id: holder.userId, company: holder.company, email: holder.ownerEmail },
  });
  return {
    isKeyInUse: others.some((holder) => isOfOtherSubject(holder, row)),
    /** Certificates of other accounts, whatever their status. */
    keyOfOthers: others.filter(isForeign).map(shown),
    /** Other pending orders of the customer. */
    sameKey: others.filter((holder) => holder.status === "Pending" && !isForeign(holder)).map(shown),
  };
}

/** How many of the latest entries of the audit trail the page shows. */
const HISTORY = 50;

const HANDED_ON = "Every check is recorded. An approver decides about the order now.";

/** Returns an order with everything that staff check. Throws a PortalError (404) when it is missing. */
export async function getQueueOrder(id: number, user: SessionUser) {
  const row = await findCertificate(getDb(), id);
  const owner = row && (await findUserFor(getDb(), row));
  const sale = row && (await findOrder(getDb(), row.orderId));
  const read = row && readCsrOfOrder(row);
  if (!row || !owner || !sale || !read?.ok) throw notFound();
  const { csr } = read;
  const technicalContact = parseContact(row.technicalContact);
  const authenticationContact = parseContact(row.authenticationContact);
  const names = namesOfOrder(row);
  const { isKeyInUse, ...holders } = await otherHoldersOfKey(row);
  const { emailVerifiedAt } = owner;
  const records = checkRecords(row);
  const eyes = await readFourEyes(getDb(), [row], user);
  const tasks = tasksOf(row, user, eyes);
  const keyMarks = await keyMarksOf(row, csr, isKeyInUse);
  const vat = storedVat(sale, await findCountry(getDb(), sale.countryId));
  const otherDomain = hasOtherDomain(authenticationContact.email, technicalContact.email);
  const isKeyMarked = [keyMarks, holders.keyOfOthers, holders.sameKey].some(({ length }) => length > 0);
  const choices = await checkChoicesOf(user);
  const evidence = await listEvidenceOf(row.id);
  const isRefused = row.contactAnswer === "refused";
  const { limits, lints } = await judgeOrder({ row, csr });
  const controlMarks = isOpenOrder(row) ? await controlMarksOfOrder(row) : [];
  const may = whatMay(user);
  const checks = staffChecksOf({ ...row, emailVerifiedAt });
  /**
   * What must still happen before the order can be approved, apart from the checks that this user records. An order that its contact refused
   * waits for nothing.
   */
  const waitsFor = [
    ...checksOf({ ...row, emailVerifiedAt })
      .filter(({ isDone, name }) => !isDone && !isRefused && !(tasks.isCheckable && name !== "email"))
      .map(({ waitsFor: what }) => what),
    ...waitsForNames(!isRefused && controlMarks.length > 0),
  ];
  if (isOpenOrder(row)) await compareAhead(rsaKeysOf([{ row, csr }])); // so that the approval takes less time
  return {
    id: row.id,
    orderId: row.orderId,
    orderNumber: orderNumber(row.orderId),
    status: row.status,
    requestedAt: row.requestedAt,
    orderType: orderTypeText(row.orderType, row.previousCertificateId),
    previousCertificateId: row.previousCertificateId,
    validity: await validityText(getDb(), row),
    hierarchy: row.hierarchy,
    may,
    ...tasks,
    waitsFor,
    /** The sentence for staff who do not approve, once every check is recorded, or null. */
    handedOn: waitsFor.length === 0 && !may.approve && checks.every(({ isDone }) => isDone) ? HANDED_ON : null,
    comparison: await comparisonOf(row, owner),
    facts: await factsOf({ row, owner, csr, vat, isKeyMarked, hasOtherDomain: otherDomain }),
    history: await listAuditEntriesOfCertificate(getDb(), row.id, HISTORY),
    /** Who works on the order, or null for nobody. */
    assignee: await assigneeOf(row, user),
    comments: await listCommentsAbout(row.id),
    outcome: isOpenOrder(row) ? null : outcomeOf(row),
    /** Set while the certificate is recorded for signing but not issued. */
    issuing: isIssuing(row) ? await issuingText(row, user) : null,
    decision: { at: row.decidedAt, by: await deciderOf(row), reason: row.decisionReason },
    customer: {
      name: personName(owner) + (await leftText(getDb(), owner, [owner.id]))(owner.id),
      company: owner.company,
      companyId: row.companyId,
      /** Who of staff changed these details, and when. */
      changes: eyes.customerChanges(row).map(({ by, at }) => ({ by: by.email, at })),
    },
    /** Who prepared, ordered or reissued. The four-eyes principle keeps them from checking and approving. */
    people: await peopleOf(user, row, sale),
    sale: saleFactsOf(sale, vat),
    saleForm: salesOrderForm(sale, user),
    /** What must happen with the payment when the order ends without a certificate. */
    refund: refundText(sale),
    contactEmail: authenticationContact.email,
    contactBarrier: await contactBarrierOf(row, tasks.isCheckable),
    /** When the authentication contact stopped all messages, or null. */
    contactStop: await findStop(authenticationContact.email),
    /** Whether the authorisation request waits for the customer to confirm the email address. */
    isRequestHeld: (await listHeldOfOrder(getDb(), row.orderId)).some(
      ({ dedupeKey, heldFor }) => dedupeKey.startsWith("authorisation-request:") && heldFor === "unconfirmed",
    ),
    subject: {
      commonName: row.commonName,
      organisation: row.organisation,
      organisationUnit: row.organisationUnit,
      locality: row.locality,
      state: row.state,
      country: row.country,
      email: row.email,
      ssid: row.ssid,
      isManualSsid: row.isManualSsid,
    },
    names: captionedNames(names),
    marks: [...marksOfOrder(row, names), ...controlMarks],
    /** What the lints find in the certificate that the order would lead to now. */
    lints,
    usages: USAGE_FLAGS.filter((flag) => row[flag]).map((flag) => USAGE_LABELS[flag]),
    publicKey: `${csr.publicKey.algorithm}, ${csr.publicKey.bits} bits`,
    keyFingerprint: colonHex(row.publicKeySha256),
    ...holders,
    /** What is wrong with the key. */
    keyMarks,
    keyRules: { ofOthers: explainRule("key-of-another"), same: explainRule("mark-same-key") },
    /** The rules about the CSR alone, and the limits of the CA, that it breaks today, although it kept them when it was imported. */
    brokenRules: isOpenOrder(row) ? [...explainRefusals(await csrVerdict(csr, keptSsid(row))), ...limits] : [],
    csrPem: csr.pem,
    /** The checks that staff record, each with the notes that this user can choose, and with the evidence that was added. */
    checks: checks.map((check) => ({
      ...check,
      ...records[check.name],
      title: CHECK_TITLES[check.name],
      choices: choices[check.name],
      evidence: evidence[check.name],
    })),
  };
}

export type QueueOrder = Awaited<ReturnType<typeof getQueueOrder>>;

/**
 * Returns the sales order's id and the authentication contact's email of a certificate's order. Throws a PortalError (404) when the
 * certificate is missing.
 */
export async function getOrderContact(id: number): Promise<{ orderId: number; email: string }> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  return { orderId: row.orderId, email: row.authenticationEmail };
}

/** Returns the id of the sales order of a certificate. Throws a PortalError (404) when the certificate is missing. */
export async function getSalesOrderId(id: number): Promise<number> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  return row.orderId;
}

/** Returns the checks of staff that are neither recorded nor refused by the contact. Throws a PortalError (404) when the order is missing. */
export async function listOpenChecks(id: number): Promise<StaffCheck[]> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  const checks = isOpenOrder(row) ? staffChecksOf({ ...row, emailVerifiedAt: null }) : [];
  return checks.filter(({ isDone, isRefused }) => !isDone && !isRefused).map(({ name }) => name);
}

/**
 * Checks, before the user is asked to confirm, that this user can take this decision now. Throws a PortalError (404) when there is no such
 * order, or a PortalError that says why not.
 */
export async function requireDecision(
  id: number,
  intent: "approve" | "reject" | "cancel" | "undo",
  user: Pick<SessionUser, "id" | "actor">,
): Promise<void> {
  await requireTask(getDb(), user.actor, intent === "approve" || intent === "undo" ? "approve-orders" : "end-orders");
  if (intent === "undo") {
    await requireIssuing(id);
    return;
  }
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  if (!isOpenOrder(row)) throw notOpen(row);
  if (intent !== "approve") return;
  const order = { row, csr: csrOf(row), user };
  await requireApprovable(getDb(), order);
  await requireAcceptableCsr(order);
}

import { listFingerprints } from "~/ca/csr/key-fingerprints.server";
import { readCsr } from "~/ca/csr/read.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { isCertifiedForAnother, isOfOtherSubject, type KeyHolder } from "~/domain/keys/key-use.policy";
import { findStop } from "~/domain/mail/contact-stop.service.server";
import { parseInvoiceAddress } from "~/domain/orders/invoice-address.schema";
import { orderNumber } from "~/domain/orders/order-number";
import { yearsText } from "~/domain/orders/price.policy";
import { refundText } from "~/domain/orders/refund.policy";
import { salesOrderForm } from "~/domain/orders/sales-order.service.server";
import { storedVat } from "~/domain/reference/vat.service.server";
import { formatDate } from "~/lib/dates";
import { notFound } from "~/lib/errors";
import { colonHex } from "~/lib/hex";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { hasPlacedOrder } from "~db/repositories/audit-entries.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { countCertificates, listCertificates } from "~db/repositories/certificate-list.server";
import { type CertificateRow, findCertificate } from "~db/repositories/certificates.server";
import { findCountry } from "~db/repositories/countries.server";
import { listContactStops, listHeldOfOrder } from "~db/repositories/held-mails.server";
import { listKeyHolders } from "~db/repositories/key-holders.server";
import { findListOfKey } from "~db/repositories/listed-keys.server";
import { findOrder } from "~db/repositories/orders.server";
import { findUserById } from "~db/repositories/users.server";
import { searchTerms } from "../catalogue/list-search.server";
import { orderTypeText } from "../certificates.policy";
import { csrOf, demandAcceptableCsr, demandApprovable } from "../issuing/approval.server";
import { demandIssuing } from "../issuing/issuing-undone.server";
import { hasOtherDomain } from "../purchase/contact.policy";
import { parseContact } from "../purchase/contact.schema";
import { namesOfOrder } from "../request/certified-names.server";
import { missingHost } from "../request/missing-host.server";
import { captionedNames } from "../request/subject-names";
import { isReissue } from "../succession/reissue.policy";
import { checksOf, OWN_ORDER, waitingFor } from "./checks.policy";
import { isIssuing, ISSUING, isOpenOrder, notOpen, outcomeOf } from "./order-decision.policy";
import { type QueueListParams } from "./queue-list";

/** One page of the pending orders, oldest first, with what each waits for. */
export async function listQueue(params: QueueListParams) {
  const { isReady } = params;
  const filter = { statuses: ["Pending" as const], isReady, terms: searchTerms(params.search) };
  const total = await countCertificates(getDb(), filter);
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  const rows = await listCertificates(getDb(), filter, {
    sort: { key: "certificateRequestDate", direction: "asc" },
    offset: (page - 1) * params.size,
    limit: params.size,
  });
  const stopped = await listContactStops(
    getDb(),
    rows.map(({ authenticationEmail }) => authenticationEmail),
  );
  return {
    rows: rows.map((row) => ({
      id: row.id,
      orderNumber: orderNumber(row.orderId),
      commonName: row.commonName,
      organisation: row.organisation,
      company: row.company,
      orderType: orderTypeText(row.orderType, row.previousCertificateId),
      requestedAt: row.requestedAt,
      waitsFor: row.serialNumber
        ? [ISSUING]
        : waitingFor({ ...row, isContactStopped: stopped.has(row.authenticationEmail.toLowerCase()) }),
    })),
    total,
    pages,
    params: { ...params, page },
  };
}

export type QueueItem = Awaited<ReturnType<typeof listQueue>>["rows"][number];

const checkRecords = (row: CertificateRow, emailVerifiedAt: string | null) => ({
  contact: { at: row.contactAnsweredAt, by: row.contactAnswerBy, note: row.contactNote },
  organisation: { at: row.organisationCheckedAt, by: row.organisationCheckedBy, note: row.organisationNote },
  csr: { at: row.csrCheckedAt, by: row.csrCheckedBy, note: row.csrNote },
  email: { at: emailVerifiedAt, by: null, note: null },
});

/** How long the certificate is to be valid, in words. */
async function validityText(row: CertificateRow): Promise<string> {
  if (!isReissue(row)) return yearsText(row.validityYears);
  const previous = await findCertificate(getDb(), row.previousCertificateId);
  return `Until ${formatDate(previous?.expiryDate)}, as certificate ${row.previousCertificateId}`;
}

/** Who else has the key of an order: perhaps the customer ordered twice, perhaps it is another account's. */
async function otherHoldersOfKey(row: CertificateRow) {
  const others = (await listKeyHolders(getDb(), row.keyIdentity)).filter(({ id }) => id !== row.id);
  const isForeign = (holder: KeyHolder) => isCertifiedForAnother(holder, row.userId);
  const shown = (holder: (typeof others)[number]) => ({
    id: holder.id,
    orderNumber: orderNumber(holder.orderId),
    status: holder.status,
    commonName: holder.commonName,
    /** Null for the customer's own. */
    owner:
      holder.userId === row.userId ? null : { id: holder.userId, company: holder.company, email: holder.ownerEmail },
  });
  return {
    isKeyInUse: others.some((holder) => isOfOtherSubject(holder, row)),
    /** Certificates of other accounts, in whatever state. */
    keyOfOthers: others.filter(isForeign).map(shown),
    /** Other pending orders. */
    sameKey: others.filter((holder) => holder.status === "Pending" && !isForeign(holder)).map(shown),
  };
}

const USAGES = [
  ["hasSecureSession", "Secure session"],
  ["hasEmail", "E-mail"],
  ["hasEncryption", "Encryption"],
  ["hasFileSigning", "File signing"],
] as const;

/** An order as staff check it. Throws not found. */
export async function getQueueOrder(id: number, user: Pick<SessionUser, "id">) {
  const row = await findCertificate(getDb(), id);
  const owner = row && (await findUserById(getDb(), row.userId));
  const sale = row && (await findOrder(getDb(), row.orderId));
  const read = row && readCsr(row.csr);
  if (!row || !owner || !sale || !read?.ok) throw notFound();
  const { csr } = read;
  const technicalContact = parseContact(row.technicalContact);
  const authenticationContact = parseContact(row.authenticationContact);
  const names = namesOfOrder(row);
  const records = checkRecords(row, owner.emailVerifiedAt);
  return {
    id: row.id,
    orderNumber: orderNumber(row.orderId),
    status: row.status,
    requestedAt: row.requestedAt,
    orderType: orderTypeText(row.orderType, row.previousCertificateId),
    previousCertificateId: row.previousCertificateId,
    validity: await validityText(row),
    hierarchy: row.hierarchy,
    /** Why this user may neither check nor approve it. */
    ownOrder: (await hasPlacedOrder(getDb(), row, user.id)) ? OWN_ORDER : null,
    outcome: isOpenOrder(row) ? null : outcomeOf(row),
    /** Recorded for signing and not issued. */
    issuing: isIssuing(row) ? `${ISSUING}.` : null,
    decision: { at: row.decidedAt, reason: row.decisionReason },
    customer: {
      name: `${owner.firstName} ${owner.lastName}`,
      company: owner.company,
      email: owner.email,
      telephoneNumber: owner.telephoneNumber,
      isEmailVerified: owner.emailVerifiedAt !== null,
      companyRegistrationNumber: owner.companyRegistrationNumber,
    },
    sale: {
      status: sale.status,
      remarks: sale.remarks,
      purchaseOrderNumber: sale.purchaseOrderNumber,
      promotionCode: sale.promotionCode,
      netCents: sale.netCents,
      vatCents: sale.vatCents,
      totalCents: sale.totalCents,
      vat: storedVat(sale, await findCountry(getDb(), sale.countryId)),
      invoiceAddress: parseInvoiceAddress(sale.invoiceAddress),
    },
    saleForm: salesOrderForm(sale),
    /** What is to be done with the money when the order ends without a certificate. */
    refund: refundText(sale),
    technicalContact,
    authenticationContact,
    /** When the authentication contact said that nothing more is to be sent, or null. */
    contactStop: await findStop(authenticationContact.email),
    /** Whether the request to authorise waits until the customer's e-mail address is confirmed. */
    isRequestHeld: (await listHeldOfOrder(getDb(), row.orderId)).some(
      ({ dedupeKey, heldFor }) => dedupeKey === `authorisation-request:${row.id}` && heldFor === "unconfirmed",
    ),
    hasOtherDomain: hasOtherDomain(authenticationContact.email, technicalContact.email),
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
    missingHost: row.hasSecureSession ? missingHost(row.commonName, names) : null,
    usages: USAGES.filter(([flag]) => row[flag]).map(([, caption]) => caption),
    publicKey: `${csr.publicKey.algorithm}, ${csr.publicKey.bits} bits`,
    keyFingerprint: colonHex(row.publicKeySha256),
    isKeyBlocked: await isKeyBlocked(getDb(), row.keyIdentity),
    /** The list of known bad keys that has the key. */
    keyList: await findListOfKey(getDb(), listFingerprints(csr)),
    ...(await otherHoldersOfKey(row)),
    csrPem: csr.pem,
    checks: checksOf({ ...row, emailVerifiedAt: owner.emailVerifiedAt }).map((check) => ({
      ...check,
      ...records[check.name],
    })),
  };
}

export type QueueOrder = Awaited<ReturnType<typeof getQueueOrder>>;

/** The order of a certificate and its authentication contact's address. Throws not found. */
export async function getOrderContact(id: number): Promise<{ orderId: number; email: string }> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  return { orderId: row.orderId, email: row.authenticationEmail };
}

/** The sales order of a certificate's order. Throws not found. */
export async function getSalesOrderId(id: number): Promise<number> {
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  return row.orderId;
}

/** Whether this user can decide so now, before it is confirmed. Throws not found, or a PortalError that says why not. */
export async function demandDecision(
  id: number,
  intent: "approve" | "reject" | "cancel" | "undo",
  user: Pick<SessionUser, "id" | "actor">,
): Promise<void> {
  if (intent === "undo") {
    await demandIssuing(id);
    return;
  }
  const row = await findCertificate(getDb(), id);
  if (!row) throw notFound();
  if (!isOpenOrder(row)) throw notOpen(row);
  if (intent !== "approve") return;
  const csr = csrOf(row);
  await demandApprovable(getDb(), row, csr, user);
  await demandAcceptableCsr(csr, row, user);
}

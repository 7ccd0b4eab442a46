import { isStaff, maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { listDocumentsWith } from "~/domain/certificates/catalogue/of-order.service.server";
import { orderTypeText, whyMayNotDownload } from "~/domain/certificates/certificates.policy";
import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { mayChangeContact } from "~/domain/certificates/queue/contact-change.service.server";
import { whyNotReminded } from "~/domain/certificates/queue/contact-reminder.server";
import { isOpenOrder } from "~/domain/certificates/queue/order-decision.policy";
import { validityText } from "~/domain/certificates/queue/validity.server";
import { changesText, findStatedCorrection } from "~/domain/certificates/succession/correction-notes.server";
import { mayFor } from "~/domain/companies/roles.policy";
import { mayCorrectOrder } from "~/domain/orders/corrections/correction-state.server";
import { listStatedCorrections } from "~/domain/orders/corrections/made-corrections.server";
import { settlementText } from "~/domain/orders/corrections/settlement.policy";
import { monthlyText } from "~/domain/orders/invoices/monthly.service.server";
import { documentsOf } from "~/domain/orders/invoices/order-documents.server";
import { orderNumber } from "~/domain/orders/order-number";
import { hiddenFrom } from "~/domain/security-events/hidden.server";
import { formatDiscount, formatEuro } from "~/lib/money";
import { getDb } from "~db/connection.server";
import { type CertificateRow, findCertificateByOrder } from "~db/repositories/certificates.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { findUserById } from "~db/repositories/users.server";
import { certificateProgress } from "./certificate-progress.server";
import { codeProgress } from "./code-progress.server";
import { orderedText } from "./ordered-text";
import { certificateProgressText, codeProgressText, paymentText } from "./progress.policy";

/** Returns what of a certificate was ordered. */
async function certificateFacts(row: CertificateRow) {
  const stated = await findStatedCorrection(row);
  const contact = parseContact(row.authenticationContact);
  return [
    { term: "Order type", detail: orderTypeText(row.orderType, row.previousCertificateId) },
    {
      term: "Correction",
      detail: stated ? `${stated.number} of certificate ${stated.corrects}. ${changesText(stated)}` : "",
    },
    { term: "Common name", detail: row.commonName },
    { term: "Organisation", detail: row.organisation },
    { term: "OFTP ID", detail: row.ssid ?? "" },
    { term: "Validity period", detail: await validityText(getDb(), row) },
    { term: "Contact", detail: [contact.name, contact.position].filter(Boolean).join(", ") },
  ];
}

/** What this user may do about a pending certificate order. */
async function actionsOf(user: SessionUser, row: CertificateRow, now: Date) {
  const mayChange = mayChangeContact(user, row);
  const barrier = mayChange ? await whyNotReminded(getDb(), row, now) : null;
  return {
    /** Whether the contact can be asked again now. */
    remind: mayChange && barrier === null,
    /** When the contact can be asked again, an ISO timestamp, if only the time has to pass. */
    remindFrom: barrier?.from ?? null,
    change: mayChange,
    cancel: isOpenOrder(row) && mayFor(user, row, "cancel-orders"),
    /** Whether the user's own email address has to be confirmed. */
    confirmEmail: isOpenOrder(row) && row.userId === user.id && !user.emailVerified,
    csr: whyMayNotDownload(user, row) === null,
  };
}

const NO_ACTIONS = { remind: false, remindFrom: null, change: false, cancel: false, confirmEmail: false, csr: false };

async function progressOf(user: SessionUser, order: OrderRow, row: CertificateRow | null) {
  if (!row) return { steps: await codeProgress(getDb(), order), progress: codeProgressText(order.status) };
  const owner = await findUserById(getDb(), row.userId);
  const facts = { ...row, certificateStatus: row.status, isIssuing: row.serialNumber !== null };
  return {
    steps: await certificateProgress(user, row),
    progress: certificateProgressText({ ...facts, emailVerifiedAt: owner?.emailVerifiedAt ?? null }),
  };
}

/** Returns what stands in the place of documents while there are none. */
async function noDocumentsText(order: OrderRow, isCertificate: boolean, now: Date): Promise<string> {
  if (order.totalCents === 0) return "The order is free of charge: it has no invoice.";
  if (order.status === "Cancelled") return "The order has ended without anything to pay: it has no invoice.";
  const monthly = await monthlyText(getDb(), order, now);
  if (monthly) return monthly;
  return isCertificate ? "The invoice comes with the certificate." : "We send the invoice when we have issued it.";
}

/**
 * Returns an order with its progress and documents. Members of the company that ordered see it, and staff who see customers. Returns null when
 * there is no such order. Throws a PortalError (404) for an order of somebody else.
 */
export async function findOwnOrder(user: SessionUser, id: number, now = new Date()) {
  const order = await findOrder(getDb(), id);
  if (!order) return null;
  if (!maySee(user, order)) throw hiddenFrom(user);
  const row = await findCertificateByOrder(getDb(), id);
  const what = orderedText({ ...order, certificate: row });
  const made = await listStatedCorrections(getDb(), id);
  const corrections = isStaff(user) ? made : made.map((correction) => ({ ...correction, actingFor: null }));
  return {
    id,
    mayCorrect: await mayCorrectOrder(user, id, now),
    corrections,
    settlement: corrections.length > 0 ? settlementText(order) : null,
    orderNumber: orderNumber(id),
    what,
    ...(await progressOf(user, order, row)),
    certificateId: row?.id ?? null,
    hasCertificate: row !== null && row.issuedAt !== null,
    facts: [
      ...(row ? await certificateFacts(row) : [{ term: "Order type", detail: what }]),
      { term: "Purchase order number", detail: order.purchaseOrderNumber },
    ],
    lines: [
      ...(order.discountCents > 0
        ? [{ label: "Promotional discount", value: formatDiscount(order.discountCents) }]
        : []),
      { label: "Net amount", value: formatEuro(order.netCents) },
      { label: "VAT amount", value: formatEuro(order.vatCents) },
    ],
    total: formatEuro(order.totalCents),
    payment: paymentText(order),
    noDocuments: await noDocumentsText(order, row !== null, now),
    documents: row ? await listDocumentsWith(row) : await documentsOf(getDb(), id),
    may: row ? await actionsOf(user, row, now) : NO_ACTIONS,
  };
}

export type OwnOrderDetails = NonNullable<Awaited<ReturnType<typeof findOwnOrder>>>;

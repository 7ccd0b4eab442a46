import { may, type RightsHolder } from "~/domain/accounts/rights.policy";
import { requireTask } from "~/domain/accounts/staff-rights.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { notFound, PortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { findCertificateByOrder } from "~db/repositories/certificates.server";
import { type InvoiceRow, listInvoicesOf } from "~db/repositories/invoices.server";
import { findOrder, listOrdersById } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { orderNumber } from "../order-number";
import { cancelledText, invoiceNumber, KIND_LABELS, parseInvoiceContent } from "./invoice-content";
import { draftInvoice } from "./invoice-draft.server";
import { getInvoiceFile } from "./invoice-file.service.server";
import { whyNoInvoice } from "./invoice.policy";
import { creditInvoice, type Crediting, currentInvoice, issueAskedInvoice, type Issued } from "./issue-invoice.server";
import { partOfOrder, shareOf } from "./monthly-draft.server";
import { issueTogether, listCreditedWith, monthlyText } from "./monthly.service.server";
import { listOrdersWith } from "./pay-invoice.service.server";

const ordersOf = ({ content }: InvoiceRow) => parseInvoiceContent(content).orders ?? [];

/** Returns what a monthly invoice is for: this order's part in cents, and the orders that still have the invoice. Otherwise null. */
async function sharedBy(row: InvoiceRow) {
  if (ordersOf(row).length === 0) return null;
  const ids = await listOrdersWith(getDb(), row.id);
  const left = shareOf(parseInvoiceContent(row.content), ids.map(orderNumber));
  const unpaid = (await listOrdersById(getDb(), ids)).filter(({ status }) => status === "Invoiced");
  return {
    partCents: partOfOrder(row).totalCents,
    orders: ids.map((id) => ({ id, number: orderNumber(id) })),
    leftCents: left.totalCents,
    unpaidCents: unpaid.reduce((cents, { totalCents }) => cents + totalCents, 0),
    unpaidIds: unpaid.map(({ id }) => id),
  };
}

const shown = (row: InvoiceRow, isCancelled = false) => ({
  id: row.id,
  label: [
    KIND_LABELS[row.kind],
    ordersOf(row).length > 1 && `of ${ordersOf(row).length} orders`,
    isCancelled && cancelledText(ordersOf(row).length),
  ]
    .filter(Boolean)
    .join(" "),
  number: invoiceNumber(row),
  issuedAt: row.issuedAt,
  totalCents: row.totalCents,
});

/** Returns the invoice that an order has now, with the caption of the link to what staff can do about it. */
async function asCurrent(row: InvoiceRow) {
  const shared = await sharedBy(row);
  return { ...shown(row), shared, caption: shared ? "Payment and credit note" : "Credit note" };
}

const forStaff = (text: string | null) => text && `${text} An invoice of its own can be issued before.`;

/** Returns the documents of an order as its page shows them and whether an invoice can be issued, or null when there is no such order. */
export async function findOrderInvoices(orderId: number, viewer: RightsHolder) {
  const order = await findOrder(getDb(), orderId);
  if (!order) return null;
  const invoices = await listInvoicesOf(getDb(), [orderId]);
  const certificate = await findCertificateByOrder(getDb(), orderId);
  const current = currentInvoice(invoices);
  return {
    orderId,
    orderNumber: orderNumber(orderId),
    company: { id: order.companyId, name: order.company },
    documents: invoices.map((row) => shown(row, row.kind === "invoice" && row.id !== current?.id)),
    current: current && (await asCurrent(current)),
    /** That the order waits for the invoice of the month, as a sentence, or null. */
    ofMonth: forStaff(await monthlyText(getDb(), order, new Date())),
    /** The orders that one new invoice can be issued for, this one among them, or an empty array. */
    together: (await listCreditedWith(getDb(), orderId)).map((id) => ({ id, number: orderNumber(id) })),
    mayChange: may(viewer, "change-sales-orders"),
    /** Why no invoice can be issued now; null when one can. */
    barrier: whyNoInvoice(order, current !== null, certificate?.status),
  };
}

export type OrderInvoices = NonNullable<Awaited<ReturnType<typeof findOrderInvoices>>>;

/**
 * Returns the content that an order's invoice would have today, for the page that asks whether to issue it. Throws a PortalError (404) when
 * there is no such order.
 */
export async function previewInvoice(orderId: number, now = new Date()) {
  const order = await findOrder(getDb(), orderId);
  if (!order) throw notFound();
  const certificate = await findCertificateByOrder(getDb(), orderId);
  const draft = await draftInvoice(getDb(), order, certificate, { now });
  const { buyer, lines, netCents, vatRate, vatCents, totalCents, vatNote } = draft;
  return { buyer, lines, netCents, vatRate, vatCents, totalCents, vatNote };
}

/** Makes the PDF of an issued document at once. When that fails, the job makes it later. Returns the document's number. */
async function withFile({ id, number }: Issued, now: Date): Promise<string> {
  await getInvoiceFile(id, now).catch(logError);
  return number;
}

/**
 * Issues the invoice of an order at the request of staff. Returns its number. Throws a PortalError (404) when there is no such order,
 * or a PortalError that says why no invoice can be issued.
 */
export async function issueInvoice(orderId: number, actor: Actor, now = new Date()): Promise<string> {
  if (!(await findOrder(getDb(), orderId))) throw notFound();
  const issued = await inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-sales-orders");
    return issueAskedInvoice(trx, orderId, actor, now);
  });
  return withFile(issued, now);
}

/**
 * Issues one invoice for the orders that a credit note has left without one, or several when they differ by now. Returns their numbers. Throws a
 * PortalError when they are other orders than were seen.
 *
 * @param seen The ids of the orders that a page showed.
 */
export async function issueInvoiceTogether(
  orderId: number,
  seen: readonly number[],
  actor: Actor,
  now = new Date(),
): Promise<string[]> {
  const issued = new Map([...(await issueTogether(orderId, seen, actor, now)).values()].map((one) => [one.id, one]));
  const numbers: string[] = [];
  for (const one of issued.values()) numbers.push(await withFile(one, now));
  return numbers;
}

/**
 * Cancels an invoice of an order by a credit note. Returns the number of the credit note. Throws a PortalError when the invoice is no
 * longer the order's current one.
 */
export async function issueCreditNote(
  credit: Crediting & { invoiceId: number },
  actor: Actor,
  now = new Date(),
): Promise<string> {
  const note = await inTransaction(async (trx) => {
    await requireTask(trx, actor, "change-sales-orders");
    return creditInvoice(trx, credit, actor, now);
  });
  if (!note) throw new PortalError("This invoice has been credited already.", { code: "invoice.none" });
  return withFile(note, now);
}

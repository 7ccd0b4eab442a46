import { quoted, storedNow } from "~/domain/changed-meanwhile";
import { formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { type OrderRow } from "~db/repositories/orders.server";
import { SALES_ORDER_LABELS } from "./sales-order-fields";
import { statusAfter } from "./sales-order.policy";
import { type SalesOrderForm } from "./sales-order.schema";

/** The columns that staff can change. */
export type SalesOrderChange = Pick<
  OrderRow,
  | "status"
  | "remarks"
  | "promotionCode"
  | "invoiceNumber"
  | "invoiceCents"
  | "invoiceDate"
  | "paymentCents"
  | "paymentDate"
>;

const midnight = (day: string | null) => day && `${day}T00:00:00.000Z`;

/**
 * Returns the payment after a change. A paid order gets what was typed, otherwise today and the order total. An order that leaves Paid
 * loses its payment.
 */
function paymentOf(form: SalesOrderForm, order: OrderRow, now: Date) {
  const { paymentTotal, paymentDate } = form;
  if (form.status === "Paid")
    return {
      paymentCents: paymentTotal ?? order.totalCents,
      paymentDate: midnight(paymentDate ?? now.toISOString().slice(0, 10)),
    };
  if (order.status === "Paid") return { paymentCents: null, paymentDate: null };
  return { paymentCents: paymentTotal, paymentDate: midnight(paymentDate) };
}

/**
 * Returns the columns of an order after a form is applied.
 *
 * @param hasEnded Whether the order was for a certificate that was rejected or cancelled.
 */
export function changeOf(form: SalesOrderForm, order: OrderRow, hasEnded: boolean, now: Date): SalesOrderChange {
  const invoice = {
    invoiceNumber: form.invoiceNumber || null,
    invoiceCents: form.invoiceTotal,
    invoiceDate: midnight(form.invoiceDate),
  };
  return {
    status: statusAfter({ before: order.status, chosen: form.status, hasEnded, ...invoice }),
    remarks: form.remarks || null,
    promotionCode: form.promotionCode || null,
    ...invoice,
    ...paymentOf(form, order, now),
  };
}

const euro = (cents: number | null) => cents !== null && formatEuro(cents);

const shown = (order: SalesOrderChange): Record<keyof typeof SALES_ORDER_LABELS, string> => ({
  status: order.status,
  remarks: order.remarks ?? "",
  promotionCode: order.promotionCode ?? "",
  invoiceNumber: order.invoiceNumber ?? "",
  invoiceTotal: euro(order.invoiceCents) || "",
  invoiceDate: formatDate(order.invoiceDate),
  paymentTotal: euro(order.paymentCents) || "",
  paymentDate: formatDate(order.paymentDate),
});

/**
 * Returns the fields in which the stored order differs from the form's result, each with the stored value. A missing value is shown as
 * empty.
 */
export function differingFields(stored: SalesOrderChange, change: SalesOrderChange): string[] {
  const [current, wanted] = [shown(stored), shown(change)];
  return (Object.keys(SALES_ORDER_LABELS) as (keyof typeof SALES_ORDER_LABELS)[])
    .filter((name) => current[name] !== wanted[name])
    .map((name) => storedNow(SALES_ORDER_LABELS[name], quoted(current[name])));
}

/**
 * Returns the changes in words for the audit trail, such as `Status: Open → Paid. Payment date: – → 05/11/2026.`, or "" when nothing
 * changes.
 */
export function differences(before: SalesOrderChange, after: SalesOrderChange): string {
  const [old, current] = [shown(before), shown(after)];
  return Object.entries(SALES_ORDER_LABELS)
    .map(([name, label]) => ({ label, from: old[name as keyof typeof old], to: current[name as keyof typeof old] }))
    .filter(({ from, to }) => from !== to)
    .map(({ label, from, to }) => `${label}: ${from || "–"} → ${to || "–"}.`)
    .join(" ");
}

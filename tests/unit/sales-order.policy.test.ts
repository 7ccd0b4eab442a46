import { describe, expect, test } from "vitest";
import { statusAfter } from "~/domain/orders/sales-order.policy";
import { type OrderStatus } from "~db/tables";

const INVOICED = { invoiceNumber: "R1", invoiceCents: 100, invoiceDate: "2026-01-01" };
const NOT_INVOICED = { invoiceNumber: null, invoiceCents: null, invoiceDate: null };

describe("[SAL-05] the status of a saved sales order", () => {
  test.each<[before: OrderStatus, chosen: OrderStatus, hasEnded: boolean, isInvoiced: boolean, after: OrderStatus]>([
    ["Open", "Open", false, false, "Open"],
    ["Open", "Open", false, true, "Invoiced"],
    ["Open", "Paid", false, false, "Paid"],
    ["Open", "Cancelled", false, false, "Cancelled"],
    ["Paid", "Open", false, false, "Open"],
    ["Paid", "Open", false, true, "Invoiced"],
    ["Open", "Open", true, false, "Cancelled"],
    ["Open", "Open", true, true, "Invoiced"],
    ["Paid", "Open", true, false, "Cancelled"],
    ["Paid", "Open", true, true, "Cancelled"],
    ["Paid", "Paid", true, true, "Paid"],
  ])("has %s, chosen %s, ended %s, invoiced %s: %s", (before, chosen, hasEnded, isInvoiced, after) => {
    expect(statusAfter({ before, chosen, hasEnded, ...(isInvoiced ? INVOICED : NOT_INVOICED) })).toBe(after);
  });

  test.each([
    { ...INVOICED, invoiceNumber: null },
    { ...INVOICED, invoiceCents: 0 },
    { ...INVOICED, invoiceCents: -1 },
    { ...INVOICED, invoiceDate: null },
  ])("an invoice without a number, a total above 0 or a date does not count: %o", (invoice) => {
    expect(statusAfter({ before: "Open", chosen: "Open", hasEnded: false, ...invoice })).toBe("Open");
  });
});

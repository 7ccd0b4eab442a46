import { invoiceNumber, type InvoiceContent, parseInvoiceContent } from "~/domain/orders/invoices/invoice-content";
import { getDb } from "~db/connection.server";
import { listInvoicesOf } from "~db/repositories/invoices.server";
import { type InvoiceKind, type NewRow } from "~db/tables";
import { createCodeOrder } from "./codes";

interface Owner {
  id: number;
  email: string;
  company: string;
}

/** ISO 3166-1 numbers. */
export const COUNTRY = { GB: 826, DE: 276, US: 840 } as const;

const ADDRESS = {
  name: "Anna Müller",
  company: "Example Parts Ltd",
  email: "invoices@example-parts.com",
  addressLine1: "1 Mill Lane",
  addressLine2: "",
  city: "Coventry",
  postalCode: "CV1 1AA",
  phoneNumber: "+44 20 7946 0001",
};

type Given = Partial<Omit<NewRow<"orders">, "invoiceAddress">> & { invoiceAddress?: Partial<typeof ADDRESS> };

/** Stores an order of three Basic codes from Great Britain for €900.00 and VAT. Returns its id. */
export function createInvoiceableOrder(owner: Owner, { invoiceAddress, ...given }: Given = {}): Promise<number> {
  return createCodeOrder(owner, "Basic", 3, {
    vatRate: 0.2,
    vatCents: 18_000,
    totalCents: 108_000,
    vatNumber: "GB123456789",
    invoiceAddress: JSON.stringify({ ...ADDRESS, ...invoiceAddress }),
    ...given,
  });
}

export interface ShownInvoice {
  id: number;
  kind: InvoiceKind;
  number: string;
  content: InvoiceContent;
}

/** Returns the documents of an order, the oldest first. */
export async function invoicesOf(orderId: number): Promise<ShownInvoice[]> {
  const rows = await listInvoicesOf(getDb(), [orderId]);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    number: invoiceNumber(row),
    content: parseInvoiceContent(row.content),
  }));
}

/** Returns the assigned numbers of a kind and year, in ascending order. */
export async function numbersGiven(kind: InvoiceKind, year: number): Promise<number[]> {
  const rows = await getDb()
    .selectFrom("invoices")
    .select("number")
    .where("kind", "=", kind)
    .where("year", "=", year)
    .orderBy("number")
    .execute();
  return rows.map(({ number }) => number);
}

export const countedTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

import { type InvoiceKind } from "~db/tables";

/** Money in integer cents, VAT not included; a discount is negative. */
export interface InvoiceLine {
  description: string;
  /** Below the description; "" for none. */
  detail: string;
  quantity: number;
  unitCents: number;
  netCents: number;
}

/** The amounts in sterling, as UK law wants them where VAT is charged (VAT Regulations 1995, reg. 14). In integer pence. */
export interface SterlingAmounts {
  sterlingPerEuro: number;
  /** `yyyy-MM-dd` of the rate. */
  date: string;
  source: string;
  netPence: number;
  vatPence: number;
  totalPence: number;
}

/** Everything that an invoice or credit note says, as it was when it was issued. Its PDF is made from this and nothing else. */
export interface InvoiceContent {
  kind: InvoiceKind;
  /** As people see it: `INV-2026-00001`. */
  number: string;
  /** ISO moment. */
  issuedAt: string;
  /** Time of supply for VAT, `yyyy-MM-dd`; documents from before it was stored have the day of `issuedAt`. */
  taxPoint?: string;
  seller: {
    name: string;
    address: string[];
    vatNumber: string;
    email: string;
    registration: string[];
    payment: string[];
  };
  buyer: { company: string; name: string; address: string[]; vatNumber: string | null };
  orderNumber: string;
  purchaseOrderNumber: string;
  /** ISO moment. */
  orderDate: string;
  /** ISO date on which it was paid when it was paid before it was issued. */
  paidOn?: string | null;
  lines: InvoiceLine[];
  currency: "EUR";
  netCents: number;
  /** Fraction, e.g. 0.2. */
  vatRate: number;
  vatCents: number;
  totalCents: number;
  /** Why no VAT is charged; "" where it is. */
  vatNote: string;
  sterling: SterlingAmounts | null;
  /** Of a credit note: the invoice that it cancels, and why. */
  credits: { number: string; issuedAt: string; reason: string } | null;
}

export const parseInvoiceContent = (json: string): InvoiceContent => JSON.parse(json) as InvoiceContent;

const PREFIXES: Readonly<Record<InvoiceKind, string>> = { invoice: "INV", "credit-note": "CN" };

export const KIND_LABELS: Readonly<Record<InvoiceKind, string>> = { invoice: "Invoice", "credit-note": "Credit Note" };

/** The number as people see it: 2026, 1 → "INV-2026-00001", of a credit note "CN-2026-00001". */
export const invoiceNumber = ({ kind, year, number }: { kind: InvoiceKind; year: number; number: number }): string =>
  `${PREFIXES[kind]}-${year}-${String(number).padStart(5, "0")}`;

/** An invoice or credit note of an order, as its customer finds it. */
export interface OrderDocument {
  id: number;
  kind: InvoiceKind;
  /** As people see it. */
  number: string;
}

/** What an order says of its invoices: each document by its number, and a number that was recorded by hand (null: none). */
export const documentNumbers = (documents: readonly OrderDocument[], recorded: string | null): string[] => [
  ...documents.map(({ kind, number }) => (kind === "invoice" ? number : `credit note ${number}`)),
  ...(recorded === null || documents.some(({ number }) => number === recorded) ? [] : [recorded]),
];

/** Whether a number looks like one that the portal gives: nobody else gives those. */
export const isPortalNumber = (text: string): boolean => /^(INV|CN)-\d{4}-\d{5,}$/i.test(text.trim());

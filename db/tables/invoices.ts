import { type Generated } from "kysely";
import { type Moment } from "./columns";

export type InvoiceKind = "invoice" | "credit-note";

/** The last number of each kind in each year; its row is what those who issue at once wait for. */
export interface InvoiceCounterTable {
  kind: InvoiceKind;
  year: number;
  last: number;
}

/** What was issued. The database refuses every change of a row. */
export interface InvoiceTable {
  id: Generated<number>;
  kind: InvoiceKind;
  year: number;
  /** From 1 on in each year, without gaps. */
  number: number;
  orderId: number;
  /** 0 for an order's first invoice and its credit note, 1 for the invoice that came after those, and so on; unique with both. */
  round: number;
  /** VAT included; of a credit note what is credited. */
  totalCents: number;
  /** JSON of everything that the document says. */
  content: string;
  issuedAt: Moment;
}

/** The PDF of an invoice, made after it was issued. The database refuses every change of a row. */
export interface InvoiceFileTable {
  invoiceId: number;
  pdf: Buffer;
  /** Of the PDF, lower-case hex. */
  sha256: string;
  storedAt: Moment;
}

import { type Generated } from "kysely";
import { type Timestamp } from "./columns";

export type InvoiceKind = "invoice" | "credit-note";

/** The last number of each kind in each year. Transactions that issue invoices at the same time wait for this row. */
export interface InvoiceCounterTable {
  kind: InvoiceKind;
  year: number;
  last: number;
}

/** An issued invoice or credit note. The database refuses every change of a row. */
export interface InvoiceTable {
  id: Generated<number>;
  kind: InvoiceKind;
  year: number;
  /** Counts up from 1 in each year, without gaps. */
  number: number;
  orderId: number;
  /**
   * 0 for the first invoice of an order and its credit note, 1 for the next invoice, and so on. Unique together with the order and the
   * kind.
   */
  round: number;
  /** Total in cents, including VAT. For a credit note, the credited amount. */
  totalCents: number;
  /** JSON of the whole content of the document. */
  content: string;
  issuedAt: Timestamp;
}

/** The PDF of an invoice, made after the invoice was issued. The database refuses every change of a row. */
export interface InvoiceFileTable {
  invoiceId: number;
  pdf: Buffer;
  /** SHA-256 of the PDF, lower-case hex. */
  sha256: string;
  storedAt: Timestamp;
}

import { type Generated } from "kysely";
import { type Maybe, type Timestamp } from "./columns";

export type InvoiceKind = "invoice" | "credit-note";

/** What is numbered within each year without gaps. */
export type NumberedKind = InvoiceKind | "correction";

/** The last number of each kind in each year. Transactions that take numbers of a kind at the same time wait for its row. */
export interface InvoiceCounterTable {
  kind: NumberedKind;
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
  /** The order that it is for. A monthly invoice is for more of them (`InvoiceFurtherOrderTable`). */
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

/**
 * An order of a monthly invoice besides the one in the row of the invoice. The kind is that of the invoice. The database refuses every change of
 * a row.
 */
export interface InvoiceFurtherOrderTable {
  orderId: number;
  kind: InvoiceKind;
  /** As in `InvoiceTable`. */
  round: number;
  invoiceId: number;
}

/** The PDF of an invoice, made after the invoice was issued. The database refuses every change of a row. */
export interface InvoiceFileTable {
  invoiceId: number;
  pdf: Buffer;
  /** SHA-256 of the PDF, lower-case hex. */
  sha256: string;
  storedAt: Timestamp;
}

/**
 * What a correction did: `order` changed what the order says, `invoice` replaced its invoice by a credit note and a new one, `reissue`
 * ordered another certificate free of charge.
 */
export type CorrectionKind = "order" | "invoice" | "reissue";

/** A correction that a customer made of an order. */
export interface OrderCorrectionTable {
  id: Generated<number>;
  year: number;
  /** Counts up from 1 in each year, without gaps. */
  number: number;
  orderId: number;
  kind: CorrectionKind;
  /** JSON array of `{ label, from, to }`: each field with what it said before and says now. */
  changes: string;
  creditNoteId: Maybe<number>;
  /** The invoice that replaces the credited one. Null when nothing is to be paid any more. */
  invoiceId: Maybe<number>;
  /** The certificate that was ordered by a reissue. */
  certificateId: Maybe<number>;
  /** Who made the correction. For an API client, the person who answers for it. */
  madeBy: number;
  createdAt: Timestamp;
}

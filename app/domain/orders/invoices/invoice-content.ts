import { type InvoiceKind } from "~db/tables";

/** A line of an invoice. Amounts are in integer cents without VAT; a discount is negative. */
export interface InvoiceLine {
  description: string;
  /** The text below the description; "" for none. */
  detail: string;
  quantity: number;
  unitCents: number;
  netCents: number;
  /** On a monthly invoice, the number of the order (`InvoicedOrder`). */
  order?: string;
}

/** One of the orders of a monthly invoice. Amounts are in integer cents. */
export interface InvoicedOrder {
  /** Such as `SO-1012`. */
  number: string;
  /** An ISO 8601 timestamp. */
  orderDate: string;
  /** The day of the supply, and its time for VAT, `yyyy-MM-dd`. */
  suppliedOn: string;
  taxPoint: string;
  netCents: number;
  vatCents: number;
  totalCents: number;
}

/** The amounts in sterling, in integer pence. UK law requires them where VAT is charged (VAT Regulations 1995, reg. 14). */
export interface SterlingAmounts {
  sterlingPerEuro: number;
  /** The date of the rate, `yyyy-MM-dd`. */
  date: string;
  source: string;
  netPence: number;
  vatPence: number;
  totalPence: number;
}

/** A postal address in parts, as EN 16931 has it. */
interface PostalParts {
  lines: string[];
  city: string;
  postalCode: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
}

/** What an invoice states as data only. */
export interface EInvoiceFacts {
  seller: PostalParts;
  buyer: PostalParts;
  /** BT-118 (UNTDID 5305): standard rate, zero rate, reverse charge, outside the scope of VAT. */
  vatCategory: "S" | "Z" | "AE" | "O";
}

/** The whole content of an invoice or credit note as it was issued. Its PDF is made from this and nothing else. */
export interface InvoiceContent {
  kind: InvoiceKind;
  /** The number as people see it, such as `INV-2026-00001`. */
  number: string;
  /** An ISO 8601 timestamp. */
  issuedAt: string;
  /**
   * The time of supply for VAT, `yyyy-MM-dd`. A monthly invoice states it for each order. Old documents do not have it; theirs is the day of
   * `issuedAt`.
   */
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
  /** "" on a monthly invoice, as is the date. */
  orderNumber: string;
  purchaseOrderNumber: string;
  /** An ISO 8601 timestamp. */
  orderDate: string;
  /** The orders of a monthly invoice, in the sequence of its lines. */
  orders?: InvoicedOrder[];
  /** The ISO date of the payment when the order was paid before the invoice was issued. */
  paidOn?: string | null;
  /** What had been paid when the invoice was issued, in integer cents, where it is less or more than the total. */
  prepaidCents?: number;
  lines: InvoiceLine[];
  currency: "EUR";
  netCents: number;
  /** A fraction such as 0.2. */
  vatRate: number;
  vatCents: number;
  totalCents: number;
  /** Why no VAT is charged; "" where VAT is charged. */
  vatNote: string;
  sterling: SterlingAmounts | null;
  /** For a credit note, the invoice that it cancels and the reason; otherwise null. */
  credits: {
    number: string;
    issuedAt: string;
    reason: string;
    /** Whether the credit note cancels some of the orders of a monthly invoice, and not the others. */
    isPart?: boolean;
  } | null;
  /** For an invoice that replaces another one: that one, and the credit note that cancels it. */
  replaces?: {
    number: string;
    issuedAt: string;
    creditNote: string;
    /** Whether it replaces one of the orders of a monthly invoice, and not the others. */
    isPart?: boolean;
  };
  /** Old documents do not have it, and are no e-invoices. */
  data?: EInvoiceFacts;
}

/** Returns for which orders a document is, in a few words: `order SO-1012`, `5 orders`. */
export const ordersText = ({ orderNumber, orders }: Pick<InvoiceContent, "orderNumber" | "orders">): string =>
  orders ? `${orders.length} orders` : `order ${orderNumber}`;

/** Returns what had been paid when an invoice was issued, in integer cents. A credit note asks for nothing. */
export const prepaidOf = ({ kind, paidOn, prepaidCents, totalCents }: InvoiceContent): number =>
  kind === "invoice" ? (prepaidCents ?? (paidOn ? totalCents : 0)) : 0;

/** Returns what was paid and what remains, as labels with integer cents. Empty when nothing or exactly the total was paid. */
export function paymentLines(content: InvoiceContent): (readonly [label: string, cents: number])[] {
  const [paid, { totalCents }] = [prepaidOf(content), content];
  if (paid === 0 || paid === totalCents) return [];
  const remains = paid < totalCents ? "Still to pay" : "To be paid back";
  return [
    ["Already paid", paid],
    [remains, Math.abs(totalCents - paid)],
  ];
}

export const parseInvoiceContent = (json: string): InvoiceContent => JSON.parse(json) as InvoiceContent;

const PREFIXES: Readonly<Record<InvoiceKind, string>> = { invoice: "INV", "credit-note": "CN" };

export const KIND_LABELS: Readonly<Record<InvoiceKind, string>> = { invoice: "Invoice", "credit-note": "Credit note" };

/** Returns a number as people see it: "INV-2026-00001" for invoice 1 of 2026, "CN-2026-00001" for a credit note. */
export const invoiceNumber = ({ kind, year, number }: { kind: InvoiceKind; year: number; number: number }): string =>
  `${PREFIXES[kind]}-${year}-${String(number).padStart(5, "0")}`;

/** An invoice or credit note of an order, as its customer sees it. */
export interface OrderDocument {
  id: number;
  kind: InvoiceKind;
  /** The number as people see it. */
  number: string;
  /** How many orders it is for. */
  orders: number;
  /** "" while it counts. Otherwise that a credit note has cancelled it: `(cancelled)`, or for one of several orders `(cancelled for this order)`. */
  cancelled: string;
}

/** Returns what a link to a document says: `Invoice INV-2026-00001 (cancelled)`, `Invoice INV-2026-00002 for 3 orders`. */
export const documentLabel = ({ kind, number, orders, cancelled }: OrderDocument): string =>
  [KIND_LABELS[kind], number, orders > 1 && `for ${orders} orders`, cancelled].filter(Boolean).join(" ");

/** Returns what is said of an invoice that a credit note has cancelled for one of its orders. */
export const cancelledText = (orders: number): string => (orders > 1 ? "(cancelled for this order)" : "(cancelled)");

/**
 * Returns the numbers of an order's invoices and credit notes, and after them the number that staff recorded by hand, if it is another one.
 */
export const documentNumbers = (documents: readonly OrderDocument[], recorded: string | null): string[] => [
  ...documents.map(({ kind, number }) => (kind === "invoice" ? number : `credit note ${number}`)),
  ...(recorded === null || documents.some(({ number }) => number === recorded) ? [] : [recorded]),
];

/** Returns whether a number looks like one that the portal assigns. Only the portal may assign such numbers. */
export const isPortalNumber = (text: string): boolean => /^(INV|CN)-\d{4}-\d{5,}$/i.test(text.trim());

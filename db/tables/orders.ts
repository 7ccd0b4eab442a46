import { type ColumnType, type Generated } from "kysely";
import { type CodeType } from "./codes";
import { type Maybe, type MaybeMoment, type Moment } from "./columns";

export type DraftKind =
  | "account-merge"
  | "certificate-purchase"
  | "certificate-renewal"
  | "code-purchase"
  | "code-details"
  | "sales-orders-file"
  | "unsent-form";

export interface DraftTable {
  /** 128 random bits, base64url; names the draft in `?draft=`. */
  id: string;
  userId: number;
  kind: DraftKind;
  /** JSON of the steps saved so far. */
  data: string;
  orderId: Maybe<number>;
  createdAt: Moment;
  updatedAt: Moment;
  expiresAt: Moment;
}

/** An order that a program sent with an Idempotency-Key. */
export interface ApiIdempotencyTable {
  userId: number;
  /** SHA-256, hexadecimal, like the next one. */
  keyHash: string;
  /** Of what was sent: the same key with something else is refused. */
  fingerprint: string;
  /** Null only inside the transaction that stores the order. */
  orderId: Maybe<number>;
  expiresAt: Moment;
}

export type OrderStatus = "Open" | "Invoiced" | "Paid" | "Cancelled";
/** Purchase order type enumeration of CPO-03. */
export const PURCHASE_ORDER_TYPE = { code: 0, certificate: 1 } as const;

/** What an order is for: the types of CPO-01, SAL-04, certificates, and the yearly maintenance of codes. */
export const ORDER_TYPES = ["OFTP", "Full", "Basic", "Certificate", "Maintenance"] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** Set when an order is stored. */
type Derived<T extends string> = ColumnType<T, T | undefined, T>;

export interface OrderTable {
  id: Generated<number>;
  purchaseOrderType: 0 | 1;
  userId: number;
  /** The draft that became this order; unique, so that a draft becomes at most one order. */
  draftId: Maybe<string>;
  status: OrderStatus;
  purchaseOrderNumber: string;
  createdAt: Moment;
  updatedAt: Moment;
  priceCents: number;
  discountCents: number;
  netCents: number;
  vatRate: number;
  vatCents: number;
  totalCents: number;
  promotionCode: Maybe<string>;
  vatNumber: Maybe<string>;
  vatNumberChecked: Maybe<boolean>;
  /** JSON of the invoice address as it was given. */
  invoiceAddress: string;
  countryId: number;
  company: string;
  isNotified: Maybe<boolean>;
  /** What the customer was last told about codes, money and reason, one sentence a line; null when the order is paid or nothing was told. */
  customerNote: string | null;
  remarks: Maybe<string>;
  invoiceNumber: Maybe<string>;
  invoiceCents: Maybe<number>;
  invoiceDate: MaybeMoment;
  paymentCents: Maybe<number>;
  paymentDate: MaybeMoment;
  /** Of an order of codes, like the next one. */
  codeType: Maybe<CodeType>;
  numberOfCodes: Maybe<number>;
  isMaintenance: boolean;

  // What the list of sales orders is searched and ordered by; texts folded (`foldForSearch`).
  orderType: Derived<OrderType | "">;
  sortCompany: Derived<string>;
  sortCountry: Derived<string>;
  /** The owner's user name; to be set anew when it or the owner changes. */
  sortUser: Derived<string>;
}

/** The words of an order's company (`searchWords`), so that an index finds those that begin with what was typed. */
export interface OrderWordTable {
  word: string;
  orderId: number;
}

/** A code of a maintenance order, as it was when the order was made. */
export interface OrderLineTable {
  id: Generated<number>;
  orderId: number;
  codeId: number;
  /** With '00', as people see it. */
  code: string;
  codeType: CodeType;
  /** JSON of the sub-codes that are charged for, in order. */
  subcodes: string;
  costCents: number;
  /** Months of the year that are not charged. */
  discountNumMonths: number;
}

/** Who has been charged for the maintenance of a year: one order each. The account as it was then, whoever it was merged into. */
export interface MaintenanceOrderTable {
  year: number;
  userId: number;
  orderId: number;
}

export interface PromotionCodeTable {
  code: string;
  valueCents: number;
  months: number;
  validUntil: MaybeMoment;
  usedByOrderId: Maybe<number>;
  usedAt: MaybeMoment;
  createdAt: Moment;
  /** What it was created with; null for codes that came in another way. */
  batchId: Maybe<string>;
  /** An administrator took it back: it cannot be used any more. */
  withdrawnAt: MaybeMoment;
}

/** One form of an administrator that created promotion codes; its id is made with the form, so that sent twice it creates once. */
export interface PromotionBatchTable {
  /** 128 random bits, base64url. */
  id: string;
  count: number;
  createdAt: Moment;
}

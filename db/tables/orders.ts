import { type ColumnType, type Generated } from "kysely";
import { type CodeType } from "./codes";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

export type DraftKind =
  | "account-merge"
  | "certificate-purchase"
  | "certificate-renewal"
  | "code-purchase"
  | "code-details"
  | "long-work"
  | "sales-orders-file"
  | "unsent-form"
  | "users-import";

export interface DraftTable {
  /** 128 random bits, base64url. It identifies the draft in `?draft=`. */
  id: string;
  userId: number;
  /** The company for which an order or a code was begun. Null for what belongs to the person alone. */
  companyId: Maybe<number>;
  /** When it was handed over to the colleagues who complete it, or null. */
  handedOverAt: MaybeTimestamp;
  kind: DraftKind;
  /** JSON of the steps saved so far. */
  data: string;
  orderId: Maybe<number>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  expiresAt: Timestamp;
}

/** An order that a program sent with an Idempotency-Key. */
export interface ApiIdempotencyTable {
  userId: number;
  /** SHA-256 in hex, as is `fingerprint`. */
  keyHash: string;
  /** Hash of the content that was sent. The same key with different content is refused. */
  fingerprint: string;
  /** Null inside the transaction that stores the order, and for a renewal that was prepared with the key. */
  orderId: Maybe<number>;
  expiresAt: Timestamp;
}

export type OrderStatus = "Open" | "Invoiced" | "Paid" | "Cancelled";
/** The purchase order types of CPO-03. */
export const PURCHASE_ORDER_TYPE = { code: 0, certificate: 1 } as const;

/** What an order is for: the types of CPO-01 and SAL-04, certificates, and the yearly maintenance of codes. */
export const ORDER_TYPES = ["OFTP", "Full", "Basic", "Certificate", "Maintenance"] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** A column that is filled in when an order is stored. */
type Derived<T extends string> = ColumnType<T, T | undefined, T>;

export interface OrderTable {
  id: Generated<number>;
  purchaseOrderType: 0 | 1;
  /** Who placed it. */
  userId: number;
  companyId: number;
  /** The draft that became this order. Unique, so that a draft becomes at most one order. */
  draftId: Maybe<string>;
  status: OrderStatus;
  purchaseOrderNumber: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  priceCents: number;
  discountCents: number;
  netCents: number;
  vatRate: number;
  vatCents: number;
  totalCents: number;
  promotionCode: Maybe<string>;
  vatNumber: Maybe<string>;
  vatNumberChecked: Maybe<boolean>;
  /** JSON of the invoice address as the customer entered it. */
  invoiceAddress: string;
  countryId: number;
  company: string;
  isNotified: Maybe<boolean>;
  /**
   * The last message to the customer about codes, money and the reason, one sentence a line. Null when the order is paid or no message was
   * sent.
   */
  customerNote: string | null;
  remarks: Maybe<string>;
  invoiceNumber: Maybe<string>;
  invoiceCents: Maybe<number>;
  invoiceDate: MaybeTimestamp;
  paymentCents: Maybe<number>;
  paymentDate: MaybeTimestamp;
  /** For an order of codes, as is `numberOfCodes`. */
  codeType: Maybe<CodeType>;
  numberOfCodes: Maybe<number>;
  isMaintenance: boolean;

  // Columns for searching and sorting sales orders. Texts are folded (`foldForSearch`).
  orderType: Derived<OrderType | "">;
  sortCompany: Derived<string>;
  sortCountry: Derived<string>;
  /** The owner's user name. It must be updated when the user name or the owner changes. */
  sortUser: Derived<string>;
}

/** The words of the company of an order (`searchWords`). An index finds the words that begin with the typed text. */
export interface OrderWordTable {
  word: string;
  orderId: number;
}

/** A code of a maintenance order, as it was when the order was made. */
export interface OrderLineTable {
  id: Generated<number>;
  orderId: number;
  codeId: number;
  /** The code with '00' appended, as it is displayed. */
  code: string;
  codeType: CodeType;
  /** JSON array of the sub-codes that are charged, in order. */
  subcodes: string;
  costCents: number;
  /** Months of the year that are not charged. */
  discountNumMonths: number;
}

/** The companies that have been charged for the maintenance of a year, one order each. */
export interface MaintenanceOrderTable {
  year: number;
  companyId: number;
  orderId: number;
}

export interface PromotionCodeTable {
  code: string;
  valueCents: number;
  months: number;
  validUntil: MaybeTimestamp;
  usedByOrderId: Maybe<number>;
  usedAt: MaybeTimestamp;
  createdAt: Timestamp;
  /** The batch in which it was created. Null for codes that were created in another way. */
  batchId: Maybe<string>;
  /** When an administrator withdrew the code. It can no longer be used. */
  withdrawnAt: MaybeTimestamp;
}

/**
 * One form with which an administrator created promotion codes. The id is made with the form, so that sending the form twice creates the
 * codes once.
 */
export interface PromotionBatchTable {
  /** 128 random bits, base64url. */
  id: string;
  count: number;
  createdAt: Timestamp;
}

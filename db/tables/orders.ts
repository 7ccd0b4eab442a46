import { type Generated } from "kysely";
import { type CodeType } from "./codes";
import { type Flag, type Maybe, type MaybeFlag, type MaybeMoment, type Moment } from "./columns";

export type DraftKind = "certificate-purchase" | "certificate-renewal" | "code-purchase" | "code-details";

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

export type OrderStatus = "Open" | "Invoiced" | "Paid" | "Cancelled";
/** Purchase order type enumeration of B §3. */
export const PURCHASE_ORDER_TYPE = { code: 0, certificate: 1 } as const;

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
  vatNumberChecked: MaybeFlag;
  /** JSON of the invoice address as it was given. */
  invoiceAddress: string;
  countryId: number;
  company: string;
  isNotified: MaybeFlag;
  remarks: Maybe<string>;
  invoiceNumber: Maybe<string>;
  invoiceCents: Maybe<number>;
  invoiceDate: MaybeMoment;
  paymentCents: Maybe<number>;
  paymentDate: MaybeMoment;
  /** Of an order of codes, like the next one. */
  codeType: Maybe<CodeType>;
  numberOfCodes: Maybe<number>;
  isMaintenance: Flag;
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

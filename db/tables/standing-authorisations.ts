import { type Generated } from "kysely";
import { type Maybe, type MaybeTimestamp, type Timestamp } from "./columns";

/** Who ended a standing authorisation: the company, staff, or the portal when its time was over. */
export type StandingEnd = "company" | "staff" | "time";

/**
 * A standing authorisation: what a company may order without a decision of staff about each order. The company asks for it, an officer asks
 * the contact, and an approver approves it. Contact and invoice address are those of the order on which it is based.
 */
export interface StandingAuthorisationTable {
  id: Generated<number>;
  companyId: number;
  /** The certificate of the order whose checks, contact and invoice address count. */
  basedOn: number;
  askedBy: number;
  askedAt: Timestamp;

  // The checked identity.
  organisation: string;
  organisationUnit: Maybe<string>;
  locality: Maybe<string>;
  state: Maybe<string>;
  country: string;
  /** When staff checked the organisation for that order. */
  identityCheckedAt: Timestamp;
  /** The domains that the company had confirmed, as JSON: `{ name, isHostOnly }[]`. */
  domains: string;
  /** The OFTP IDs of the company's entities, as JSON. */
  oftpIds: string;

  // The standing order.
  /** The usage attributes that certificates may have, as JSON. */
  usages: string;
  longestYears: number;
  purchaseOrderNumber: string;
  /** How many certificates at most, or null for no limit of their number. */
  ceilingCertificates: Maybe<number>;
  /** The net amount at most, in cents, or null for no limit of the amount. */
  ceilingCents: Maybe<number>;
  endsAt: Timestamp;
  /** Whether its orders are on one invoice a month instead of one each. */
  isInvoicedMonthly: Generated<boolean>;

  contactCheckedBy: Maybe<number>;
  contactCheckedAt: MaybeTimestamp;
  contactNote: Maybe<string>;
  approvedBy: Maybe<number>;
  approvedAt: MaybeTimestamp;
  endedAt: MaybeTimestamp;
  endedBy: Maybe<StandingEnd>;
  /** Why it ended, or was not approved, as it was typed or as a sentence. */
  endedWhy: Maybe<string>;
  /** The last reminder: the number of days before `endsAt`. */
  remindedDays: Maybe<number>;
}

/** An order that was placed under a standing authorisation. */
export interface StandingOrderTable {
  certificateId: number;
  authorisationId: number;
  placedAt: Timestamp;
  netCents: number;
  /** Why staff decide about it: the rules that it does not meet, a line for each. Null for an order within the authorisation. */
  whyOutside: Maybe<string>;
  /** Whether its certificate was issued without an invoice, because it comes on the next invoice of the month. */
  awaitsInvoice: Generated<boolean>;
}

import { type Generated } from "kysely";
import { type Maybe, type Timestamp } from "./columns";

/** A customer. It owns what its members order and register. */
export interface CompanyTable {
  id: Generated<number>;
  name: string;
  companyRegistrationNumber: Maybe<string>;
  taxNumber: Maybe<string>;
  vatNumber: Maybe<string>;
  /** Whether the VAT service has confirmed the number. Null when no check is due. */
  vatNumberChecked: Maybe<boolean>;
  companyAddressId: Maybe<number>;
  invoicingAddressId: Maybe<number>;
  mailingAddressId: Maybe<number>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** What members may do in their company. */
export type CompanyRole = "owner" | "purchaser" | "technical" | "reader";

/** The members of companies. A person can belong to several. */
export interface MembershipTable {
  companyId: number;
  userId: number;
  role: CompanyRole;
  joinedAt: Timestamp;
}

import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type Timestamp } from "./columns";

export const CODE_TYPES = ["OFTP", "Full", "Basic"] as const;
export type CodeType = (typeof CODE_TYPES)[number];
export const CODE_STATUSES = ["Registered", "Cancelled", "Expired"] as const;
export type CodeStatus = (typeof CODE_STATUSES)[number];

/**
 * A registered entity with its code, or a sub-entity with its code and sub-code. A code or sub-code is never assigned to another entity.
 */
export interface CodeTable {
  id: Generated<number>;
  /** Who registered it. */
  userId: number;
  companyId: number;
  /** The order that paid for the code. Null for sub-codes and imported codes. */
  orderId: Maybe<number>;
  codeType: CodeType;
  /** Four characters. */
  code: string;
  /** Two characters for a sub-entity, "" for an entity. */
  subcode: string;
  parentId: Maybe<number>;
  status: CodeStatus;
  entityName: string;
  shortName: Maybe<string>;
  tradeName: Maybe<string>;
  vatNumber: Maybe<string>;
  dunsNumber: Maybe<string>;
  /** The code of the direct parent, four characters. */
  directParent: Maybe<string>;
  domesticUltimateParent: Maybe<string>;
  globalUltimateParent: Maybe<string>;
  /** Sum of the flags in COD-03. */
  entityType: ColumnType<number, number | undefined, number>;
  entityTypeOther: Maybe<string>;
  sbeCanRegister: boolean;
  /** How many sub-entities the entity may have. Null means as many as there are sub-codes. */
  sbeMaxNumber: Maybe<number>;
  /** True when the physical address is that of the company. There is no separate one then. */
  useCompanyAddress: boolean;
  physicalAddressId: Maybe<number>;
  /** True when the mailing address is the physical address. There is no separate one then. */
  usePhysicalAddress: boolean;
  mailingAddressId: Maybe<number>;

  // Columns for search and sorting, folded (`foldForSearch`). They must be updated when the owner, the company address or the code changes.
  sortCompany: string;
  sortEmail: string;
  sortEntity: string;
  /** City of the physical address. */
  sortCity: string;
  /** Country of the physical address. */
  countryId: Maybe<number>;
  /** Code, full code, company, owner's email and entity name. */
  searchText: string;
  createdAt: Timestamp;
  /** Also serves as the version: a caller that changes the code names the version it has seen. */
  updatedAt: Timestamp;
}

/** The words by which a code is searched (`searchWords`). An index finds the words that begin with the typed text. */
export interface CodeWordTable {
  field: "company" | "city";
  word: string;
  codeId: number;
}

export const CONTACT_TYPES = [
  "Accounting",
  "Expedition",
  "IT",
  "Information",
  "Material Inspection",
  "Material Schedule",
  "OFTP",
  "Purchase",
  "Receiving",
  "Sales",
  "Transport",
  "Warehouse",
] as const;
export type ContactType = (typeof CONTACT_TYPES)[number];

export interface CodeContactTable {
  id: Generated<number>;
  codeId: number;
  contactType: ContactType;
  firstName: string;
  lastName: string;
  jobTitle: Maybe<string>;
  department: Maybe<string>;
  phoneNumber: Maybe<string>;
  mobile: Maybe<string>;
  fax: Maybe<string>;
  email: string;
}

/** How many codes of a paid order are not registered yet. */
export interface AvailableCodesTable {
  orderId: number;
  /** Who placed the order. */
  userId: number;
  companyId: number;
  codeType: CodeType;
  quantity: number;
  createdAt: Timestamp;
}

/** A certificate that a company publishes at its entity of the register. Those who may search the register find it there while it can be used. */
export interface EntityCertificateTable {
  id: Generated<number>;
  codeId: number;
  certificateId: number;
  companyId: number;
  /** Null when it took the place of the certificate that it renews. */
  publishedBy: Maybe<number>;
  publishedAt: Timestamp;
}

/** A person who gets a message when the certificates of an entity change. */
export interface EntityFollowerTable {
  id: Generated<number>;
  codeId: number;
  userId: number;
  /** The company in which the person asked for it, and which has to have the right to search. */
  companyId: number;
  followedAt: Timestamp;
}

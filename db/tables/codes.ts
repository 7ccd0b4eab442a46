import { type ColumnType, type Generated } from "kysely";
import { type Maybe, type Moment } from "./columns";

export const CODE_TYPES = ["OFTP", "Full", "Basic"] as const;
export type CodeType = (typeof CODE_TYPES)[number];
export const CODE_STATUSES = ["Registered", "Cancelled", "Expired"] as const;
export type CodeStatus = (typeof CODE_STATUSES)[number];

/** A registered entity under its code, or a sub-entity under code and sub-code. Neither is ever given to another one. */
export interface CodeTable {
  id: Generated<number>;
  userId: number;
  /** The order that paid for it; null for sub-codes and for what was imported. */
  orderId: Maybe<number>;
  codeType: CodeType;
  /** Four characters. */
  code: string;
  /** Two characters of a sub-entity, "" of an entity. */
  subcode: string;
  parentId: Maybe<number>;
  status: CodeStatus;
  entityName: string;
  shortName: Maybe<string>;
  tradeName: Maybe<string>;
  vatNumber: Maybe<string>;
  dunsNumber: Maybe<string>;
  /** A code of four characters. */
  directParent: Maybe<string>;
  domesticUltimateParent: Maybe<string>;
  globalUltimateParent: Maybe<string>;
  /** Sum of the flags of COD-03. */
  entityType: ColumnType<number, number | undefined, number>;
  entityTypeOther: Maybe<string>;
  sbeCanRegister: boolean;
  /** How many sub-entities it may have; null = as many as there are sub-codes. */
  sbeMaxNumber: Maybe<number>;
  /** The physical address is the company's; then there is no own one. */
  useCompanyAddress: boolean;
  physicalAddressId: Maybe<number>;
  /** The mailing address is the physical one; then there is no own one. */
  usePhysicalAddress: boolean;
  mailingAddressId: Maybe<number>;

  // What lists are searched and ordered by, folded (`foldForSearch`); to be set anew when owner, company address or code change.
  sortCompany: string;
  sortEmail: string;
  sortEntity: string;
  /** City of the physical address. */
  sortCity: string;
  /** Country of the physical address. */
  countryId: Maybe<number>;
  /** Code, full code, company, owner's e-mail and entity name. */
  searchText: string;
  createdAt: Moment;
  /** Also the version: who changes the code says which one was seen. */
  updatedAt: Moment;
}

/** The words of what a code is searched by (`searchWords`), so that an index finds those that begin with what was typed. */
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

/** Codes of a paid order: how many of them are not registered yet. */
export interface AvailableCodesTable {
  orderId: number;
  userId: number;
  codeType: CodeType;
  quantity: number;
  createdAt: Moment;
}

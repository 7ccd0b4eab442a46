import { type CodeStatus } from "~db/tables";
import { CONTACT_TYPES } from "~db/tables/codes";
import { type EntityType } from "./entity-types";

/** The rules of the form that depend on the code and on the person who opens it. */
export interface CodeRules {
  /** Whether the form asks for a sub-code, because a sub-entity is being registered. */
  asksSubcode: boolean;
  /** The statuses to choose from; null for a new code, which is Registered. */
  statuses: CodeStatus[] | null;
  /** The entity types to choose from; null when this person may not change them. */
  entityTypes: EntityType[] | null;
}

const ADDRESS = ["addressLine1", "addressLine2", "addressLine3", "city", "postalCode", "region", "country"];

/** The fields of the form, in the order of the page. */
export const CODE_FIELDS = [
  "version",
  "opened",
  "subcode",
  "entityName",
  "shortName",
  "tradeName",
  "status",
  "vatNumber",
  "directParentId",
  "domesticParentId",
  "globalParentId",
  "dunsNumber",
  "entityTypes",
  "otherText",
  "useCompanyAddress",
  ...ADDRESS.map((part) => `physicalAddress.${part}`),
  "usePhysicalAddress",
  ...ADDRESS.map((part) => `mailingAddress.${part}`),
];

/** The fields of a contact, in the order of the page (COD-08). */
export const CODE_CONTACT_FIELDS = [
  "contactType",
  "firstName",
  "lastName",
  "jobTitle",
  "department",
  "phoneNumber",
  "mobile",
  "fax",
  "emailAddress",
] as const;

/** The id of the contacts panel on the page of a code, for links to it. */
export const CONTACTS_PLACE = "contacts";

/** The twelve types of contacts (COD-08). */
export const CONTACT_TYPE_NAMES: readonly string[] = CONTACT_TYPES;

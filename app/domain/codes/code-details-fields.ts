import { CONTACT_TYPES, type CodeStatus } from "~db/tables";
import { type EntityType } from "./entity-types";

/** What of the form's rules depends on the code and on who looks at it. */
export interface CodeRules {
  /** A sub-entity is being registered: it is given its sub-code. */
  asksSubcode: boolean;
  /** What the status can be; null for a new code, which is Registered. */
  statuses: CodeStatus[] | null;
  /** The entity types to choose from; null where they are not this person's to change. */
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

/** Where in a code's page its contacts are. */
export const CONTACTS_PLACE = "contacts";

/** The twelve types of contacts (COD-08). */
export const CONTACT_TYPE_NAMES: readonly string[] = CONTACT_TYPES;

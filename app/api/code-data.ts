import { z } from "zod";
import { type CodeContactForm } from "~/domain/codes/code-contact.schema";
import { type CodeData } from "~/domain/codes/code-data.service.server";
import { CONTACT_TYPE_NAMES } from "~/domain/codes/code-details-fields";
import { CODE_TYPE_LABELS, fullCode } from "~/domain/codes/code-types";
import { entityTypesOf } from "~/domain/codes/entity-types";
import { personName } from "~/domain/companies/people.server";
import { CODE_STATUSES } from "~db/tables/codes";
import { answeredAddress, toAnsweredAddress } from "./address";
import { ENTITY_TYPE_BITS, ENTITY_TYPE_NAMES } from "./code-form";

const LABELS = Object.values(CODE_TYPE_LABELS);

/** Returns the schema of a code's type in answers. */
export const answeredCodeType = () => z.string().openapi({ enum: LABELS });

/** A code (COD-03). */
export const answeredCode = z.object({
  id: z.number().int(),
  userId: z.number().int().describe("The owner"),
  code: z.string(),
  fullCode: z.string().describe("Code and sub-code as one"),
  codeType: answeredCodeType(),
  subcode: z.string().describe("Empty for an entity"),
  parentId: z.number().int().nullable().describe("The entity of a sub-entity"),
  company: z.string(),
  email: z.string().describe("The owner's"),
  registeredBy: z.string().describe("The name of the person, with the API client if one did it for them"),
  entityName: z.string(),
  shortName: z.string(),
  tradeName: z.string(),
  vatNumber: z.string(),
  dunsNumber: z.string(),
  directParent: z.string(),
  domesticUltimateParent: z.string(),
  globalUltimateParent: z.string(),
  status: z.enum(CODE_STATUSES),
  entityType: z.number().int().describe(ENTITY_TYPE_BITS),
  entityTypes: z.array(z.enum(ENTITY_TYPE_NAMES)).describe("The same as a list of names"),
  entityTypeOther: z.string(),
  isOscar: z.boolean().describe("Not for an OFTP code"),
  physicalAddress: answeredAddress.nullable().describe("Null: the company's"),
  mailingAddress: answeredAddress.nullable().describe("Null: the physical one"),
  sbeCanRegister: z.boolean().describe("Sub-entities can be registered under it"),
  sbeMaxNumber: z.number().int().describe("The largest number of its sub-entities; 0 for no limit"),
});

const texts = ({ row }: CodeData) => ({
  shortName: row.shortName ?? "",
  tradeName: row.tradeName ?? "",
  vatNumber: row.vatNumber ?? "",
  dunsNumber: row.dunsNumber ?? "",
  directParent: row.directParent ?? "",
  domesticUltimateParent: row.domesticUltimateParent ?? "",
  globalUltimateParent: row.globalUltimateParent ?? "",
  entityTypeOther: row.entityTypeOther ?? "",
});

export const toAnsweredCode = (data: CodeData): z.input<typeof answeredCode> => {
  const { row, physicalAddress, mailingAddress } = data;
  const { id, userId, code, subcode, parentId, company, email, entityName, status, entityType } = row;
  return {
    id,
    userId,
    code,
    subcode,
    parentId,
    company,
    email,
    registeredBy: personName(row),
    entityName,
    status,
    entityType,
    ...texts(data),
    fullCode: fullCode(row),
    codeType: CODE_TYPE_LABELS[row.codeType],
    entityTypes: entityTypesOf(entityType),
    isOscar: row.codeType !== "OFTP",
    physicalAddress: physicalAddress && toAnsweredAddress(physicalAddress),
    mailingAddress: mailingAddress && toAnsweredAddress(mailingAddress),
    sbeCanRegister: row.sbeCanRegister,
    sbeMaxNumber: row.sbeMaxNumber ?? 0,
  };
};

/** A contact of a code (COD-08). */
export const answeredContact = z.object({
  id: z.number().int(),
  contactType: z.string().openapi({ enum: [...CONTACT_TYPE_NAMES] }),
  name: z.string().describe("First name"),
  lastname: z.string(),
  position: z.string(),
  department: z.string(),
  telephone: z.string(),
  mobile: z.string(),
  fax: z.string(),
  email: z.string(),
});

export const toAnsweredContact = (contact: CodeContactForm): z.input<typeof answeredContact> => ({
  id: contact.id,
  contactType: contact.contactType,
  name: contact.firstName,
  lastname: contact.lastName,
  position: contact.jobTitle,
  department: contact.department,
  telephone: contact.phoneNumber,
  mobile: contact.mobile,
  fax: contact.fax,
  email: contact.emailAddress,
});

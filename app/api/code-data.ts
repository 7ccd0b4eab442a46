import { z } from "zod";
import { type Contact } from "~/domain/codes/code-contact.schema";
import { type CodeData } from "~/domain/codes/code-data.service.server";
import { CODE_TYPE_LABELS, fullCode } from "~/domain/codes/code-types";
import { entityTypesOf } from "~/domain/codes/entity-types";
import { answeredAddress, toAnsweredAddress } from "./address";

/** A code as B §3 has it. */
export const answeredCode = z.object({
  id: z.number().int(),
  userId: z.number().int(),
  code: z.string(),
  fullCode: z.string(),
  codeType: z.string().describe("`OFTP Code`, `OSCAR Code Full` or `OSCAR Code Basic`"),
  subcode: z.string(),
  parentId: z.number().int().nullable(),
  company: z.string(),
  email: z.string(),
  entityName: z.string(),
  shortName: z.string(),
  tradeName: z.string(),
  vatNumber: z.string(),
  dunsNumber: z.string(),
  directParent: z.string(),
  domesticUltimateParent: z.string(),
  globalUltimateParent: z.string(),
  status: z.enum(["Registered", "Cancelled", "Expired"]),
  entityType: z.number().int().describe("Sum of the entity types' bits"),
  entityTypes: z.array(z.string()),
  entityTypeOther: z.string(),
  isOscar: z.boolean(),
  physicalAddress: answeredAddress.nullable().describe("Null: the company's"),
  mailingAddress: answeredAddress.nullable().describe("Null: the physical one"),
  sbeCanRegister: z.boolean(),
  sbeMaxNumber: z.number().int().describe("0: no limit"),
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
    ...{ id, userId, code, subcode, parentId, company, email, entityName, status, entityType },
    ...texts(data),
    fullCode: fullCode(row),
    codeType: CODE_TYPE_LABELS[row.codeType],
    entityTypes: entityTypesOf(entityType),
    isOscar: row.codeType !== "OFTP",
    physicalAddress: physicalAddress && toAnsweredAddress(physicalAddress),
    mailingAddress: mailingAddress && toAnsweredAddress(mailingAddress),
    sbeCanRegister: row.sbeCanRegister === 1,
    sbeMaxNumber: row.sbeMaxNumber ?? 0,
  };
};

/** A contact of a code as B §3 has it. */
export const answeredContact = z.object({
  id: z.number().int(),
  contactType: z.string(),
  name: z.string().describe("First name"),
  lastname: z.string(),
  position: z.string(),
  department: z.string(),
  telephone: z.string(),
  mobile: z.string(),
  fax: z.string(),
  email: z.string(),
});

export const toAnsweredContact = (contact: Contact): z.input<typeof answeredContact> => ({
  ...{ id: contact.id, contactType: contact.contactType, name: contact.firstName, lastname: contact.lastName },
  ...{ position: contact.jobTitle, department: contact.department, telephone: contact.phoneNumber },
  ...{ mobile: contact.mobile, fax: contact.fax, email: contact.emailAddress },
});

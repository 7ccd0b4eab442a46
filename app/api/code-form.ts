import { z } from "zod";
import { codeDetailsSchema } from "~/domain/codes/code-details.schema";
import { ENTITY_TYPES, entityTypesOf, sumOf, type EntityType } from "~/domain/codes/entity-types";
import { messages } from "~/lib/messages";
import { CODE_STATUSES } from "~db/tables/codes";
import { ADDRESS_NAMES, addressFields, wireAddress } from "./address";
import { InvalidInput, type WireNames } from "./check";
import { wireCodeContact } from "./code-contact";
import { changedTextBy, sentOf, textBy } from "./wire";

const unused = <Schema extends z.ZodTypeAny>(schema: Schema) => schema.nullish().describe("Not used");

/** The fields of an answered code that are not its details. They are accepted and ignored, so that a code can be sent as it was read. */
const besides = {
  id: unused(z.number().int()),
  userId: unused(z.number().int()),
  code: unused(z.string()),
  fullCode: unused(z.string()),
  codeType: unused(z.string()),
  subcode: unused(z.string()),
  parentId: unused(z.number().int()),
  company: unused(z.string()),
  email: unused(z.string()),
  registeredBy: unused(z.string()),
  isOscar: unused(z.boolean()),
  sbeCanRegister: unused(z.boolean()),
  sbeMaxNumber: unused(z.number().int()),
};

export const ENTITY_TYPE_NAMES = Object.keys(ENTITY_TYPES) as [EntityType, ...EntityType[]];

const bits = Object.entries(ENTITY_TYPES).map(([name, bit]) => `${name} ${bit}`);

/** Says which number each entity type has in `entityType`. */
export const ENTITY_TYPE_BITS = `Sum of ${bits.join(", ")}`;

/** All rules of the form, for any code and any user. */
const rules = codeDetailsSchema({
  asksSubcode: true,
  statuses: [...CODE_STATUSES],
  entityTypes: ENTITY_TYPE_NAMES,
}).innerType().shape;

/** Returns the schema of the sub-code of a new sub-entity. */
export const wireSubcode = () =>
  textBy(rules.subcode, {
    description: "Two characters of 0-9 and A-Z, not `00`; lower-case letters count as capitals",
  });

const details = {
  entityName: changedTextBy(rules.entityName),
  shortName: changedTextBy(rules.shortName),
  tradeName: changedTextBy(rules.tradeName),
  vatNumber: changedTextBy(rules.vatNumber),
  dunsNumber: changedTextBy(rules.dunsNumber, { description: "D-U-N-S number" }),
  directParent: changedTextBy(rules.directParentId, { description: "The four characters of an OSCAR code" }),
  domesticUltimateParent: changedTextBy(rules.domesticParentId),
  globalUltimateParent: changedTextBy(rules.globalParentId),
  status: changedTextBy(rules.status, {
    choices: CODE_STATUSES,
    description: "A new code is Registered; Expired is for administrators",
  }),
  entityType: z
    .number()
    .int()
    .nullish()
    .openapi({
      minimum: 0,
      maximum: sumOf(ENTITY_TYPE_NAMES),
      description: `${ENTITY_TYPE_BITS}; must agree with \`entityTypes\`. OFTP is only for sub-entities`,
    }),
  entityTypes: z
    .array(z.string().openapi({ enum: ENTITY_TYPE_NAMES }))
    .nullish()
    .describe("The same as a list of names"),
  entityTypeOther: changedTextBy(rules.otherText, { description: "Required with the entity type Other" }),
  physicalAddress: wireAddress.nullish().describe("The whole address, or null for the company's"),
  mailingAddress: wireAddress.nullish().describe("The whole address, or null for the physical one"),
};

/** The largest number of contacts in one request. */
const MOST_CONTACTS = 100;

/** Returns the schema of the name that a new code must have. */
export const newName = () => textBy(rules.entityName);

/**
 * Returns the schema of the body that registers or changes a code. It has the format in which codes/getcode returns the code (COD-03).
 * @param target The fields that identify the code.
 */
export const codeForm = <Target extends z.ZodRawShape>(target: Target) =>
  z
    .object({
      // The order of the API reference: the fields that identify the code, its details, the rest.
      code: z.object({ ...target, ...details, ...besides, ...target }).strict(),
      useCompanyAddress: z.boolean().nullish().describe("When true, `physicalAddress` is ignored"),
      usePhysicalAddress: z.boolean().nullish().describe("When true, `mailingAddress` is ignored"),
      contacts: z.array(wireCodeContact).max(MOST_CONTACTS, messages.outOfRange).nullish(),
    })
    .strict();

export const KEPT_NOTES = `Omitted fields keep their stored values; a text that is null, empty or a single space is cleared. A contact with an id is changed. One without an id (or with 0 or less) is added, and replaces a contact with the same email address. At most ${MOST_CONTACTS} contacts at a time.`;

export type WireCodeForm = z.output<ReturnType<typeof codeForm<Record<never, never>>>>;
type WireCode = WireCodeForm["code"];

/** The API's names of the fields of the code's form. */
export const CODE_NAMES: WireNames = {
  ...ADDRESS_NAMES,
  directParentId: "directParent",
  domesticParentId: "domesticUltimateParent",
  globalParentId: "globalUltimateParent",
  otherText: "entityTypeOther",
};

const unlike = (message: string) => new InvalidInput({ "code.entityType": message });

/** Returns the entity types by name, or undefined when none are sent. Throws InvalidInput when `entityType` and `entityTypes` differ. */
function entityTypesIn({ entityType, entityTypes }: WireCode): string[] | undefined {
  const named = entityTypes === null ? [] : entityTypes;
  if (entityType === undefined) return named;
  const bits = entityType ?? 0;
  const summed = entityTypesOf(bits);
  if (sumOf(summed) !== bits) throw unlike(messages.collection);
  if (named && sumOf(named as EntityType[]) !== bits) throw unlike("entityType and entityTypes are not the same.");
  return named ?? summed;
}

/**
 * Returns a code in the format of its form. Throws InvalidInput for contradictory entity types.
 * @param before The stored values, by the names of the form.
 */
export function toCodeForm(before: Readonly<Record<string, unknown>>, { code, ...wrapper }: WireCodeForm) {
  const { useCompanyAddress, usePhysicalAddress, physicalAddress, mailingAddress, ...kept } = before;
  const { entityName, shortName, tradeName, vatNumber, dunsNumber, status, subcode } = code;
  return {
    ...kept,
    ...sentOf({ entityName, shortName, tradeName, vatNumber, dunsNumber, status, subcode }),
    ...sentOf({ directParentId: code.directParent, domesticParentId: code.domesticUltimateParent }),
    ...sentOf({ globalParentId: code.globalUltimateParent, otherText: code.entityTypeOther }),
    ...sentOf({ entityTypes: entityTypesIn(code) }),
    ...addressFields("physicalAddress", "useCompanyAddress", {
      isShared: wrapper.useCompanyAddress,
      sent: code.physicalAddress,
      stored: useCompanyAddress ? null : physicalAddress,
    }),
    ...addressFields("mailingAddress", "usePhysicalAddress", {
      isShared: wrapper.usePhysicalAddress,
      sent: code.mailingAddress,
      stored: usePhysicalAddress ? null : mailingAddress,
    }),
  };
}

import { z } from "zod";
import { addressSchema } from "~/domain/accounts/accounts.schema";
import { country, flag, type ImportCountry } from "~/domain/accounts/import/import.schema";
import { collectionProblem } from "~/lib/csv/csv-rows.server";
import { isTelephone, optionalText, requiredText, email } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { CODE_STATUSES, CONTACT_TYPES } from "~db/tables/codes";
import { CODE_TYPE_LABELS, readCodeType } from "../code-types";

export const REGISTER_MESSAGES = {
  code: "A code has 4 characters, 0 to 9 and A to Z.",
  x: "Codes with prefix X are for OFTP use only.",
  oftp: "An OFTP code begins with X.",
  subcode: "Subcode must be exactly 2 characters long.",
  subcodeSymbols: "A sub code has the characters 0 to 9 and A to Z.",
  subcode00: "00 may not be used as a subcode.",
  contacts: "The value is not a JSON list of contacts; docs/operations.md describes it.",
  contactTwice: "Two contacts have the same email address.",
  timestamp: "The value is not a UTC timestamp such as 2026-01-31T12:00:00Z.",
} as const;

/** The sum of all entity types of COD-03. */
const ALL_TYPES = 32_767;
const OTHER_TYPE = 16_384;

const upper = z.string().transform((value) => value.trim().toUpperCase());
const codeText = upper.refine((value) => /^[0-9A-Z]{4}$/.test(value), REGISTER_MESSAGES.code);

const subcode = upper
  .default("")
  .refine((value) => value === "" || value.length === 2, REGISTER_MESSAGES.subcode)
  .refine((value) => value.length !== 2 || /^[0-9A-Z]{2}$/.test(value), REGISTER_MESSAGES.subcodeSymbols)
  .refine((value) => value !== "00", REGISTER_MESSAGES.subcode00);

const codeType = requiredText(40).transform((value, context) => {
  const type = readCodeType(value);
  if (type) return type;
  if (value !== "")
    context.addIssue({ code: "custom", message: collectionProblem(value, Object.values(CODE_TYPE_LABELS)) });
  return z.NEVER;
});

const status = optionalText(20).transform((value, context) => {
  const known = CODE_STATUSES.find((name) => name.toLowerCase() === (value.toLowerCase() || "registered"));
  if (!known) context.addIssue({ code: "custom", message: collectionProblem(value, CODE_STATUSES) });
  return known ?? z.NEVER;
});

/** A whole number up to `max`; null when the cell is empty. */
const wholeNumber = (max: number) =>
  optionalText(5)
    .refine((value) => /^\d*$/.test(value) && Number(value) <= max, messages.outOfRange)
    .transform((value) => (value === "" ? null : Number(value)));

const phone = (max: number) =>
  optionalText(max).refine((value) => value === "" || isTelephone(value), messages.telephone);

const contact = z
  .object({
    contactType: z.enum(CONTACT_TYPES, {
      errorMap: () => ({ message: `The value must be one of ${CONTACT_TYPES.join(", ")}.` }),
    }),
    firstName: requiredText(120),
    lastName: requiredText(120),
    jobTitle: optionalText(120),
    department: optionalText(70),
    phoneNumber: phone(25),
    mobile: phone(35),
    fax: phone(35),
    email: email(60),
  })
  .strict();

/** Describes a problem of a contact in the array: which contact, which field, and why. */
function contactProblem(issue: z.ZodIssue): string {
  const [index, field] = issue.path;
  if (typeof index !== "number") return REGISTER_MESSAGES.contacts;
  const name = `Contact ${index + 1}`;
  if (issue.code === "unrecognized_keys")
    return `${name} has fields that contacts do not have: ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}.`;
  return field === undefined ? `${name} is not a JSON object.` : `${name}, ${field}: ${issue.message}`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text || "[]");
  } catch {
    return null;
  }
}

const contacts = z
  .string()
  .default("")
  .transform((text, context) => {
    const { data, error } = z.array(contact).safeParse(readJson(text));
    for (const issue of error?.issues ?? []) context.addIssue({ code: "custom", message: contactProblem(issue) });
    if (!data) return z.NEVER;
    const emails = new Set(data.map((person) => person.email.toLowerCase()));
    if (emails.size < data.length) context.addIssue({ code: "custom", message: REGISTER_MESSAGES.contactTwice });
    return data;
  });

const timestamp = optionalText(30)
  .refine(
    (value) => value === "" || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(value),
    REGISTER_MESSAGES.timestamp,
  )
  .refine((value) => value === "" || !Number.isNaN(Date.parse(value)), REGISTER_MESSAGES.timestamp)
  .transform((value) => (value === "" ? null : new Date(value)));

/**
 * Returns the schema for one row of a register file.
 *
 * @param countries The countries by ISO code.
 */
export function registerRowSchema(countries: ReadonlyMap<string, ImportCountry>) {
  const address = addressSchema.omit({ country: true }).extend({ country: country(countries) });
  return z
    .object({
      owner: requiredText(200).transform((value) => value.toLowerCase()),
      code: codeText,
      subcode,
      codeType,
      status,
      entityName: requiredText(70),
      shortName: optionalText(70),
      tradeName: optionalText(70),
      vatNumber: optionalText(18),
      dunsNumber: optionalText(18),
      directParent: z.union([z.literal(""), codeText]).default(""),
      domesticUltimateParent: optionalText(70),
      globalUltimateParent: optionalText(70),
      entityType: wholeNumber(ALL_TYPES),
      entityTypeOther: optionalText(70),
      sbeCanRegister: z.union([z.literal("").transform(() => null), flag]).default(""),
      sbeMaxNumber: wholeNumber(99_999),
      physicalAddress: address.optional(),
      mailingAddress: address.optional(),
      contacts,
      registeredAt: timestamp,
    })
    .superRefine((row, context) => {
      for (const { field, message } of ruleProblems(row)) context.addIssue({ code: "custom", path: [field], message });
      if (((row.entityType ?? 0) & OTHER_TYPE) > 0 && row.entityTypeOther === "")
        context.addIssue({ code: "custom", path: ["entityTypeOther"], message: messages.required });
    });
}

type Schema = ReturnType<typeof registerRowSchema>;

/** The columns that the checks against other rows and the register use. The row may be wrong in other columns. */
const FACTS = {
  owner: true,
  code: true,
  subcode: true,
  codeType: true,
  status: true,
  directParent: true,
  sbeMaxNumber: true,
} as const;

/** Returns those columns of a row that is wrong elsewhere, or null when they are wrong, too. */
export function readFacts(schema: Schema, cells: unknown): RegisterFacts | null {
  return schema.innerType().pick(FACTS).safeParse(cells).data ?? null;
}

export type RegisterRow = z.infer<ReturnType<typeof registerRowSchema>>;

export type RegisterFacts = Pick<RegisterRow, keyof typeof FACTS>;

/** Returns the problems of columns that are valid one by one. Codes for OFTP begin with X, and no others do (COD-02). */
export function ruleProblems({ code, codeType }: Pick<RegisterFacts, "code" | "codeType">) {
  if (code.startsWith("X") === (codeType === "OFTP")) return [];
  return [{ field: "code", message: codeType === "OFTP" ? REGISTER_MESSAGES.oftp : REGISTER_MESSAGES.x }];
}

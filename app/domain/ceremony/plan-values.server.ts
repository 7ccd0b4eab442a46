import { z } from "zod";
import { hasControlCharacters, SUBJECT_LENGTHS } from "~/ca/csr/check-subject.server";
import { type SubjectField } from "~/ca/x509/name.server";
import { isPrintable } from "~/ca/x509/text.server";
import { readWebAddress } from "~/lib/web-address";

const TYPES: Partial<Record<string, string>> = {
  string: "must be text; put it in quotation marks",
  number: "must be a number",
  array: "must be a list, whose items begin with '- '",
  object: "must have keys and values below it",
};

/** Says for issues without a sentence of their own what the value must be. */
export const explainValue: z.ZodErrorMap = (issue, { defaultError }) => {
  if (issue.code === "invalid_type" && issue.received === "undefined") return { message: "is missing" };
  if (issue.code === "invalid_type") return { message: TYPES[issue.expected] ?? defaultError };
  if (issue.code === "invalid_enum_value" || issue.code === "invalid_union_discriminator")
    return { message: `must be one of ${issue.options.map(String).join(", ")}` };
  return { message: defaultError };
};

export const planText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !hasControlCharacters(value), "must be one line without control characters");

const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const exists = (instant: string) =>
  !Number.isNaN(Date.parse(instant)) && new Date(instant).toISOString() === instant.replace("Z", ".000Z");

export const planDay = z
  .string()
  .refine((value) => DAY.test(value) && exists(`${value}T00:00:00Z`), "must be a day such as 2027-01-12");

export const planInstant = z
  .string()
  .refine((value) => INSTANT.test(value) && exists(value), "must be a time in UTC such as 2027-01-12T10:00:00Z")
  .transform((value) => new Date(value));

export const planHash = z.enum(["sha256", "sha512"]);

export const planWebAddress = (scheme: RegExp, rule: string) =>
  z.string().refine((value) => scheme.test(value) && readWebAddress(value) !== null && isAscii(value), rule);

const isAscii = (value: string) => /^[\x21-\x7e]*$/.test(value);

/** CRLs and CA certificates are fetched without TLS, because checking a certificate must not need another one. */
export const planHttpAddress = planWebAddress(/^http:\/\//, "must be an address that begins with http://");

const attribute = (field: SubjectField) => planText(SUBJECT_LENGTHS[field]);

/** The attributes of a subject that the plan of a ceremony can have. */
const attributes = {
  country: z.string().regex(/^[A-Z]{2}$/, "must be the two capital letters of a country, such as DE"),
  state: attribute("state"),
  locality: attribute("locality"),
  organisation: attribute("organisation"),
  organisationUnit: attribute("organisationUnit"),
  commonName: attribute("commonName"),
  deviceSerialNumber: attribute("deviceSerialNumber").refine(
    isPrintable,
    "may have only letters without accents, digits, spaces and ' ( ) + , - . / : = ?",
  ),
};

/** The beginning of a subject. */
export const planSubjectStart = z.object(attributes).partial().strict();

export const planSubject = planSubjectStart.required({ country: true, organisation: true, commonName: true });

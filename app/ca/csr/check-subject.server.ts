import { isHostName, isMailbox } from "../x509/host-name.server";
import { attributeTypeOf, type NameAttribute, type SubjectField, toSubjectFields } from "../x509/name.server";
import { isPrintable } from "../x509/text.server";
import { mixesScripts, mixesScriptsInLabel } from "./look-alikes.server";
import { refuseIf } from "./refusal.server";
import { type RequestRefusal } from "./rules/catalogue";

/** Upper bounds of X.520, in characters (RFC 5280 appendix A.1). */
const FIELDS: readonly { field: SubjectField; caption: string; max: number }[] = [
  { field: "commonName", caption: "common name", max: 64 },
  { field: "organisation", caption: "organisation", max: 64 },
  { field: "organisationUnit", caption: "organisation unit", max: 64 },
  { field: "locality", caption: "locality", max: 128 },
  { field: "state", caption: "state", max: 128 },
  { field: "country", caption: "country", max: 2 },
  { field: "deviceSerialNumber", caption: "serial number", max: 64 },
  { field: "email", caption: "email address", max: 255 },
];

/** The most characters of each attribute. */
export const SUBJECT_LENGTHS = Object.fromEntries(FIELDS.map(({ field, max }) => [field, max])) as Record<
  SubjectField,
  number
>;

const REQUIRED: readonly SubjectField[] = ["commonName", "organisation", "country"];

/**
 * Returns whether the text contains control characters, invisible characters, characters that change the direction of writing (such as
 * U+202E), lone surrogates, private or unassigned code points, or one of the two Unicode separators. A name with such characters can look
 * like another name.
 */
export const hasControlCharacters = (text: string): boolean => /[\p{C}\u2028\u2029]/u.test(text);

/** Checks the rules for the subject (PUR-11). Returns a refusal for each broken rule. */
export function checkSubject(
  attributes: readonly NameAttribute[],
  countryCodes: ReadonlySet<string>,
): RequestRefusal[] {
  const subject = toSubjectFields(attributes);
  const { country, deviceSerialNumber = "", email } = subject;
  return [
    ...FIELDS.flatMap(({ field, caption, max }) => {
      const type = attributeTypeOf(field);
      return checkField(
        `${caption} (${type})`,
        attributes.filter((attribute) => attribute.type === type).map(({ value }) => value),
        { max, required: REQUIRED.includes(field) },
      );
    }),
    ...refuseIf(
      Boolean(country?.trim()) && !countryCodes.has(country ?? ""),
      "subject-country",
      "Subject: the country (C) must be a two-letter ISO 3166 code in capitals, for example DE.",
    ),
    ...refuseIf(
      !isPrintable(deviceSerialNumber),
      "serial-number-characters",
      "Subject: the serial number may hold only letters without accents, digits, spaces and ' ( ) + , - . / : = ?.",
    ),
    ...refuseIf(
      Boolean(email?.trim()) && !isMailbox(email ?? ""),
      "email-invalid",
      "Subject: the email address (E) is not valid.",
    ),
  ];
}

function checkField(
  label: string,
  values: readonly string[],
  { max, required }: { max: number; required: boolean },
): RequestRefusal[] {
  return [
    ...refuseIf(
      required && !values.some((value) => value.trim() !== ""),
      "subject-required",
      `Subject: the ${label} is missing.`,
    ),
    ...refuseIf(values.length > 1, "subject-repeated", `Subject: the ${label} is stated more than once.`),
    ...refuseIf(
      values.some((value) => [...value].length > max),
      "subject-length",
      `Subject: the ${label} is longer than ${max} characters, the limit of X.520.`,
    ),
    ...refuseIf(
      values.some(hasControlCharacters),
      "subject-characters",
      `Subject: the ${label} holds control characters.`,
    ),
    ...refuseIf(
      values.some((value) => mixesScripts(value) || (isHostName(value) && mixesScriptsInLabel(value))),
      "subject-scripts",
      `Subject: a word of the ${label} mixes letters of different scripts that look alike, for example Latin and Cyrillic.`,
    ),
  ];
}

import { z } from "zod";
import { normaliseVat, vatNumberProblem } from "~/domain/reference/vat.schema";
import { cellBeginning, cellProblem, collectionProblem } from "~/lib/csv/csv-rows.server";
import { email, optionalText, requiredText, telephone } from "~/lib/fields";
import { messages } from "~/lib/messages";
import { addressSchema } from "../accounts.schema";

/** The maximum length of a hash in characters. No column limits it. */
const HASH_LENGTH = 200;

export const IMPORT_MESSAGES = {
  country: (value: string) => `The value '${cellBeginning(value)}' is not an ISO 3166-1 code of two letters.`,
  admin: "The right Admin is only imported on the command line, with --allow-admins.",
  flag: (value: string) => `The value '${cellBeginning(value)}' must be yes or no.`,
  hash: "The value is not an argon2id hash in PHC format that the portal accepts: m of 7168 KiB, m × t of 35840, salt and output of 16 bytes at least.",
  question: "A security question and the hash of its answer belong together.",
} as const;

/**
 * An argon2id hash in the PHC string format, with limits on what a login may be made to compute: 256 MiB, 16 passes, 16 lanes. Salt and
 * output have at least 16 bytes (RFC 9106 §3.1, §4). The work is no less than the OWASP recommendations for argon2id: 19456 KiB × 2, 12288
 * × 3, 9216 × 4, 7168 × 5. Weaker hashes are quickly guessed.
 */
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})(?:,(?:keyid|data)=[^$]*)?\$([\w+/]{22,86})\$([\w+/]{22,86})$/;

export function isArgon2id(value: string): boolean {
  const [, memory, passes, lanes] = PHC.exec(value)?.map(Number) ?? [];
  if (memory === undefined || passes === undefined || lanes === undefined || value.length > HASH_LENGTH) return false;
  const isStrong = memory >= 7168 && memory * passes >= 35_840;
  return isStrong && memory <= 262_144 && passes <= 16 && lanes >= 1 && lanes <= 16;
}

const hash = optionalText(HASH_LENGTH).refine((value) => value === "" || isArgon2id(value), IMPORT_MESSAGES.hash);

export const flag = z
  .string()
  .default("")
  .transform((value) => value.trim())
  .refine(
    (value) => ["", "yes", "no", "true", "false", "1", "0"].includes(value.toLowerCase()),
    (value) => ({ message: IMPORT_MESSAGES.flag(value) }),
  )
  .transform((value) => ["yes", "true", "1"].includes(value.toLowerCase()));

/** The other rights of staff are granted by hand. */
const IMPORTED_RIGHTS = ["Applicant", "Admin"];
const isRight = (right: string) => (name: string) => name.toLowerCase() === right.toLowerCase();

/** `Applicant`, `Admin` or both, separated by a comma. An empty cell means Applicant, the right of everyone who registers. */
const rights = (allowAdmins: boolean) =>
  z
    .string()
    .default("")
    .transform((value) => {
      const names = value.split(",").map((name) => name.trim());
      return names.some(Boolean) ? names : ["Applicant"];
    })
    .superRefine((names, context) => {
      const unknown = names.find((name) => !IMPORTED_RIGHTS.some((right) => isRight(right)(name)));
      const message =
        unknown !== undefined
          ? collectionProblem(unknown, allowAdmins ? IMPORTED_RIGHTS : IMPORTED_RIGHTS.slice(0, 1))
          : !allowAdmins && names.some(isRight("Admin")) && IMPORT_MESSAGES.admin;
      if (message) context.addIssue({ code: "custom", message });
    })
    .transform((names) => ({ isApplicant: names.some(isRight("Applicant")), isAdmin: names.some(isRight("Admin")) }));

export interface ImportCountry {
  id: number;
  iso: string;
  euMember: boolean;
}

export const country = (countries: ReadonlyMap<string, ImportCountry>) =>
  requiredText(Infinity).transform((value, context) => {
    const found = countries.get(value.toUpperCase());
    if (found) return found;
    if (value !== "") context.addIssue({ code: "custom", message: IMPORT_MESSAGES.country(value) });
    return z.NEVER;
  });

const lower = (value: string) => value.toLowerCase();

const username = z.string().transform(lower).pipe(requiredText(200));

interface Options {
  /** The countries by ISO code. */
  countries: ReadonlyMap<string, ImportCountry>;
  allowAdmins: boolean;
}

/**
 * Returns the schema for one row of an import file. Names may have 120 characters, as the columns do (REG-01, CON-04), although forms allow
 * only 59.
 */
export function importSchema({ countries, allowAdmins }: Options) {
  const address = addressSchema.omit({ country: true }).extend({ country: country(countries) });
  return z
    .object({
      username,
      email: email().transform(lower),
      firstName: requiredText(120),
      lastName: requiredText(120),
      company: requiredText(120),
      position: requiredText(120),
      telephoneNumber: telephone(35),
      companyRegistrationNumber: optionalText(70),
      taxNumber: optionalText(35),
      vatNumber: optionalText(18).transform(normaliseVat),
      companyAddress: address.optional(),
      invoicingAddress: address.extend({ company: optionalText(120) }).optional(),
      rights: rights(allowAdmins),
      disabled: flag,
      passwordHash: hash,
      securityQuestion: optionalText(200),
      securityAnswerHash: hash,
    })
    .superRefine((row, context) => {
      const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      const invoiced = (row.invoicingAddress ?? row.companyAddress)?.country;
      const problem = row.vatNumber && invoiced ? vatNumberProblem(row.vatNumber, invoiced) : null;
      if (problem) refuse("vatNumber", problem);
      if (row.invoicingAddress && !row.companyAddress) refuse("companyAddress.addressLine1", messages.required);
      if ((row.securityQuestion === "") !== (row.securityAnswerHash === ""))
        refuse(row.securityQuestion === "" ? "securityQuestion" : "securityAnswerHash", IMPORT_MESSAGES.question);
    });
}

export type ImportedAccount = z.infer<ReturnType<typeof importSchema>>;

/** Returns the user name in a cell, or null when the cell has no valid one. The rest of the row does not matter. */
export function usernameOf(cell = ""): string | null {
  const { success, data } = username.safeParse(cell);
  return success && cellProblem(cell) === null ? data : null;
}

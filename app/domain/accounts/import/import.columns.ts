const addressColumns = (prefix: string) =>
  ["addressLine1", "addressLine2", "addressLine3", "city", "postalCode", "region", "country"].map(
    (part) => `${prefix}.${part}`,
  );

/** The columns that every import file has; see docs/operations.md for what each holds. */
export const REQUIRED_COLUMNS: readonly string[] = [
  "username",
  "email",
  "firstName",
  "lastName",
  "company",
  "position",
  "telephoneNumber",
];

export const OPTIONAL_COLUMNS: readonly string[] = [
  "companyRegistrationNumber",
  "taxNumber",
  "vatNumber",
  ...addressColumns("companyAddress"),
  "invoicingAddress.company",
  ...addressColumns("invoicingAddress"),
  "rights",
  "disabled",
  "passwordHash",
  "securityQuestion",
  "securityAnswerHash",
];

const known = new Set([...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS]);

/** What is wrong with a header row, or null. */
export function headerProblem(header: readonly string[]): string | null {
  const unknown = header.filter((name) => !known.has(name));
  const missing = REQUIRED_COLUMNS.filter((name) => !header.includes(name));
  const twice = header.filter((name, index) => header.indexOf(name) !== index);
  const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");
  if (unknown.length > 0) return `the header row has unknown columns: ${quoted(unknown)}`;
  if (missing.length > 0) return `the header row lacks the columns ${quoted(missing)}`;
  return twice.length > 0 ? `the header row has columns twice: ${quoted(twice)}` : null;
}

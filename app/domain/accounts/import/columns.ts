import { type CsvColumns } from "~/lib/csv/csv-columns";

const addressColumns = (prefix: string) =>
  ["addressLine1", "addressLine2", "addressLine3", "city", "postalCode", "region", "country"].map(
    (part) => `${prefix}.${part}`,
  );

/** The columns of an import file. docs/operations.md describes their contents. */
export const IMPORT_COLUMNS: CsvColumns = {
  required: ["username", "email", "firstName", "lastName", "company", "position", "telephoneNumber"],
  optional: [
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
  ],
};

import { type CsvColumns } from "~/lib/csv/csv-columns";

const addressColumns = (prefix: string) =>
  ["addressLine1", "addressLine2", "addressLine3", "city", "postalCode", "region", "country"].map(
    (part) => `${prefix}.${part}`,
  );

/** The columns of a register file. docs/operations.md describes their contents. */
export const REGISTER_COLUMNS: CsvColumns = {
  required: ["owner", "code", "codeType", "entityName"],
  optional: [
    ...["subcode", "status", "shortName", "tradeName", "vatNumber", "dunsNumber"],
    ...["directParent", "domesticUltimateParent", "globalUltimateParent", "entityType", "entityTypeOther"],
    ...["sbeCanRegister", "sbeMaxNumber"],
    ...addressColumns("physicalAddress"),
    ...addressColumns("mailingAddress"),
    ...["contacts", "registeredAt"],
  ],
};

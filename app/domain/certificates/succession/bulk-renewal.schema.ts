import { z } from "zod";
import { type ContactRules } from "../purchase/contact.policy";
import { contactSchemaFor } from "../purchase/contact.schema";
import { renewalFormSchema } from "../purchase/order-form.schema";
import { NO_CSRS } from "./bulk-renewal";

/** Lets chosen files stand for the text of the CSRs. Only the server reads them. */
function filesAsText(raw: unknown): unknown {
  if (raw === null || typeof raw !== "object" || !("csrFile" in raw)) return raw;
  const hasFiles = [raw.csrFile].flat().some((file) => file instanceof File && file.size > 0);
  return hasFiles ? { ...raw, csr: "files" } : raw;
}

/** Returns the schema of several renewals: one contact, validity and purchase order number for all of them. */
export const bulkRenewalSchema = (rules: ContactRules) =>
  z.preprocess(
    filesAsText,
    contactSchemaFor(rules)
      .merge(renewalFormSchema({}))
      .extend({
        csr: z
          .string()
          .optional()
          .refine((value) => value !== undefined && value.trim() !== "", NO_CSRS),
      }),
  );

export type BulkRenewalForm = z.output<ReturnType<typeof bulkRenewalSchema>>;

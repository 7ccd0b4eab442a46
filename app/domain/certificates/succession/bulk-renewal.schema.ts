import { z } from "zod";
import { type ContactRules } from "../purchase/contact.policy";
import { contactSchemaFor } from "../purchase/contact.schema";
import { renewalFormSchema } from "../purchase/order-form.schema";

/** Returns the schema of several renewals: one contact, validity and purchase order number for all of them. */
export const bulkRenewalSchema = (rules: ContactRules) =>
  contactSchemaFor(rules).merge(renewalFormSchema({})).extend({
    csr: z.string().optional(), // the server reads the CSRs itself, which can be files
  });

export type BulkRenewalForm = z.output<ReturnType<typeof bulkRenewalSchema>>;

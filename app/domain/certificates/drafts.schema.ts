import { z } from "zod";
import { csrDetailsSchema } from "./csr-import.schema";

/** What was typed in one step, by field name. */
export type Typed = Record<string, string>;

/** The steps of a purchase as they were typed, and the CSR that was imported. */
export const purchaseDraftSchema = z.object({
  contact: z.record(z.string()).optional(),
  order: z.record(z.string()).optional(),
  /** The imported CSR's text and what it asks for. */
  imported: z.object({ csr: z.string(), details: csrDetailsSchema }).optional(),
  invoice: z.record(z.string()).optional(),
});

/** The same for a renewal, with the id of the certificate that it renews. */
export const renewalDraftSchema = purchaseDraftSchema.extend({ renews: z.number().int().positive() });

export type PurchaseDraft = z.infer<typeof purchaseDraftSchema> & { renews?: number };

/** Longest text that is kept; a field's own rules are far below, only a CSR comes near. */
const KEPT = 65_536;

/** What of a submitted form is kept in a draft: texts of the step's own fields. */
export function typedValues(submitted: Readonly<Record<string, unknown>>, fields: readonly string[]): Typed {
  const typed: Typed = {};
  for (const name of fields) {
    const value = submitted[name];
    if (typeof value === "string" && value.length <= KEPT) typed[name] = value;
  }
  return typed;
}

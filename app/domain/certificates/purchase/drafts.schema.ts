import { z } from "zod";
import { csrDetailsSchema } from "../request/csr-import.schema";

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

import { z } from "zod";
import { csrDetailsSchema } from "../request/csr-import.schema";

/** The values that were typed in the steps of a purchase, and the imported CSR. */
export const purchaseDraftSchema = z.object({
  contact: z.record(z.string()).optional(),
  order: z.record(z.string()).optional(),
  /** The text of the imported CSR and its details. */
  imported: z.object({ csr: z.string(), details: csrDetailsSchema }).optional(),
  invoice: z.record(z.string()).optional(),
});

/** The draft of a renewal. It also has the id of the certificate that is renewed. */
export const renewalDraftSchema = purchaseDraftSchema.extend({ renews: z.number().int().positive() });

export type PurchaseDraft = z.infer<typeof purchaseDraftSchema> & { renews?: number };

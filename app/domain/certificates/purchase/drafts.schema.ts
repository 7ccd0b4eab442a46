import { z } from "zod";
import { csrDetailsSchema } from "../request/csr-import.schema";

/** The values that were typed in the steps of a purchase, and the imported CSR. */
export const purchaseDraftSchema = z.object({
  contact: z.record(z.string()).optional(),
  order: z.record(z.string()).optional(),
  /** The text of the imported CSR and its details. */
  imported: z.object({ csr: z.string(), details: csrDetailsSchema }).optional(),
  invoice: z.record(z.string()).optional(),
  /** The ids of those who saved the contact or the request. A renewal that was handed over can have several. */
  changedBy: z.array(z.number().int().positive()).optional(),
});

/** The draft of a renewal. It also has the id of the certificate that is renewed. */
export const renewalDraftSchema = purchaseDraftSchema.extend({ renews: z.number().int().positive() });

export type PurchaseDraft = z.infer<typeof purchaseDraftSchema> & { renews?: number };

/** Returns the data of a draft with a person added to those who changed it. */
export const changedBy = (userId: number, data: PurchaseDraft): PurchaseDraft => ({
  ...data,
  changedBy: [...new Set([...(data.changedBy ?? []), userId])],
});

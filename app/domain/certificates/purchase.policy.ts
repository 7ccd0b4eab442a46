import { contactSchema, type Contact } from "./contact.schema";
import { normaliseCsrText } from "./csr-text";
import { type PurchaseDraft } from "./drafts.schema";
import { orderFormSchema, type OrderForm } from "./order-form.schema";

/** The steps that are filled in, in their order. */
export type PurchaseStep = "contact-details" | "order" | "invoice-address";

/** Whether the CSR in the text box is the one that was imported: editing it resets to not imported (B §4). */
export const isImported = ({ order, imported }: PurchaseDraft): boolean =>
  imported !== undefined && normaliseCsrText(order?.csr ?? "") === imported.csr;

/** The first step's contact, or null while it is not complete. */
export const contactOf = ({ contact }: PurchaseDraft): Contact | null => contactSchema.safeParse(contact).data ?? null;

/** The second step's order, or null while it is not complete. */
export const orderOf = (draft: PurchaseDraft): OrderForm | null =>
  (isImported(draft) && orderFormSchema.safeParse(draft.order).data) || null;

/** Whether everything is there that a step builds on. */
export function hasStateFor(step: PurchaseStep, draft: PurchaseDraft): boolean {
  if (step === "contact-details") return true;
  return contactOf(draft) !== null && (step === "order" || orderOf(draft) !== null);
}

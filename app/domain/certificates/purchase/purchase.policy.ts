import { normaliseCsrText } from "../request/csr-text";
import { contactSchema, type Contact } from "./contact.schema";
import { type PurchaseDraft } from "./drafts.schema";
import { type UsageFlag } from "./fields";
import { orderFormSchema, renewalFormSchema, type OrderForm } from "./order-form.schema";

/** The steps that are filled in, in their order. */
export type PurchaseStep = "contact-details" | "order" | "invoice-address";

/** Whether the CSR in the text box is the one that was imported: editing it resets to not imported (PUR-03). */
export const isImported = ({ order, imported }: PurchaseDraft): boolean =>
  imported !== undefined && normaliseCsrText(order?.csr ?? "") === imported.csr;

/** The first step's contact, or null while it is not complete. */
export const contactOf = ({ contact }: PurchaseDraft): Contact | null => contactSchema.safeParse(contact).data ?? null;

/** What a renewal takes over or forbids. */
export interface RenewalRules {
  usage: UsageFlag[];
  /** Why some years cannot be chosen, by the years. */
  refusals: Readonly<Record<string, string>>;
}

/** The order of a renewal: usage and OFTP ID are the original's, and there is no promotion code (REN-01). */
export const renewalOrder = (form: Omit<OrderForm, "usage" | "oftpid" | "promoCode">, { usage }: RenewalRules) => ({
  ...form,
  usage,
  oftpid: "",
  promoCode: "",
});

/** The second step's order, or null while it is not complete. In: the rules of the renewal that it is, or null. */
export function orderOf(draft: PurchaseDraft, renewal: RenewalRules | null): OrderForm | null {
  if (!isImported(draft)) return null;
  if (!renewal) return orderFormSchema.safeParse(draft.order).data ?? null;
  const form = renewalFormSchema(renewal.refusals).safeParse(draft.order).data;
  return form ? renewalOrder(form, renewal) : null;
}

/** Whether everything is there that a step builds on. */
export function hasStateFor(step: PurchaseStep, draft: PurchaseDraft, renewal: RenewalRules | null): boolean {
  if (step === "contact-details") return true;
  return contactOf(draft) !== null && (step === "order" || orderOf(draft, renewal) !== null);
}

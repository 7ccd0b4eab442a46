import { type Draft } from "~/domain/drafts/drafts.service.server";
import { normaliseCsrText } from "../request/csr-text";
import { contactSchema, type Contact } from "./contact.schema";
import { type PurchaseDraft } from "./drafts.schema";
import { type UsageFlag } from "./fields";
import { orderFormSchema, renewalFormSchema, type OrderForm } from "./order-form.schema";

/** The steps with a form, in order. */
export type PurchaseStep = "contact-details" | "order" | "invoice-address";

/** Returns whether the CSR in the text box is the imported one. Editing the text resets it to not imported (PUR-03). */
export const isImported = ({ order, imported }: PurchaseDraft): boolean =>
  imported !== undefined && normaliseCsrText(order?.csr ?? "") === imported.csr;

/** Returns the contact of the first step, or null while it is not complete. */
export const contactOf = ({ contact }: PurchaseDraft): Contact | null => contactSchema.safeParse(contact).data ?? null;

/** What a renewal takes from the original, and what it does not allow. */
export interface RenewalRules {
  usage: UsageFlag[];
  /** The reasons why some years cannot be chosen, by year. */
  refusals: Readonly<Record<string, string>>;
}

/** Returns the order of a renewal. Usage and OFTP ID are the original's, and there is no promotion code (REN-01). */
export const renewalOrder = (form: Omit<OrderForm, "usage" | "oftpid" | "promoCode">, { usage }: RenewalRules) => ({
  ...form,
  usage,
  oftpid: "",
  promoCode: "",
});

/**
 * Returns the order of the second step, or null while it is not complete. `renewal` has the rules of a renewal; it is null for a purchase.
 * A renewal is complete without the terms, because who prepares it does not accept them. Who orders it does (`lacksTerms`).
 */
export function orderOf(draft: PurchaseDraft, renewal: RenewalRules | null): OrderForm | null {
  if (!isImported(draft)) return null;
  if (!renewal) return orderFormSchema.safeParse(draft.order).data ?? null;
  const form = renewalFormSchema(renewal.refusals, false).safeParse(draft.order).data;
  return form ? renewalOrder(form, renewal) : null;
}

/**
 * Returns whether a person who orders this draft has not accepted the terms yet: somebody else began it, it was handed over, or the order
 * step did not ask.
 */
export const lacksTerms = (userId: number, draft: Pick<Draft<PurchaseDraft>, "userId" | "handedOverAt" | "data">) =>
  draft.userId !== userId || draft.handedOverAt !== null || !draft.data.order?.termsAndConditionsAccepted;

/** Returns whether the draft has everything that a step builds on. */
export function hasStateFor(step: PurchaseStep, draft: PurchaseDraft, renewal: RenewalRules | null): boolean {
  if (step === "contact-details") return true;
  return contactOf(draft) !== null && (step === "order" || orderOf(draft, renewal) !== null);
}

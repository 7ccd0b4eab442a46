import { z } from "zod";
import { type PurchaseStep } from "~/domain/certificates/purchase/purchase.policy";
import { type Wizard } from "~/domain/drafts/drafts.service.server";
import { codeOrderSchema, type CodeOrderForm } from "./order-form.schema";

const codePurchaseSchema = z.object({
  /** Whether the contact details were confirmed. */
  isConfirmed: z.boolean().optional(),
  order: z.record(z.string()).optional(),
  invoice: z.record(z.string()).optional(),
});

/** The steps of a purchase of codes, as typed. */
export type CodePurchase = z.infer<typeof codePurchaseSchema>;

export const codeWizard: Wizard<CodePurchase> = {
  kind: "code-purchase",
  schema: codePurchaseSchema,
  isOfCompany: true,
};

/** Returns the order of the second step, or null while it is not complete. */
export const codeOrderOf = ({ order }: CodePurchase): CodeOrderForm | null =>
  codeOrderSchema.safeParse(order).data ?? null;

/** Returns whether the draft contains everything that a step requires. */
export function hasCodeStateFor(step: PurchaseStep, draft: CodePurchase): boolean {
  if (step === "contact-details") return true;
  return draft.isConfirmed === true && (step === "order" || codeOrderOf(draft) !== null);
}

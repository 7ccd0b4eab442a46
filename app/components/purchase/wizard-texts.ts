import { type CertificateWizard, paths, type WizardStep } from "~/lib/paths";

/** Every wizard that ends in an order. */
export type PurchaseWizard = CertificateWizard | "codes";

/** The steps with their captions, in their order. */
export const WIZARD_STEPS: readonly { step: WizardStep; label: string }[] = [
  { step: "contact-details", label: "Contact details" },
  { step: "order", label: "Order" },
  { step: "invoice-address", label: "Invoice address" },
  { step: "order-complete", label: "Order complete" },
];

/** The headers of PUR-02, CPO-01, which has none for codes. */
export const WIZARD_HEADERS: Record<PurchaseWizard, string> = {
  purchase: "Purchase Certificate",
  renew: "Renew Certificate",
  codes: "Purchase ID Codes",
};

/** Where a step of a wizard is. */
export const stepPath = (wizard: PurchaseWizard, step: WizardStep, draft?: string): string =>
  wizard === "codes" ? paths.codePurchase(step, draft) : paths.certificateWizard(wizard, step, draft);

/** A step's title: 'Order - Purchase Certificate - step 2 of 4'. */
export function stepTitle(wizard: PurchaseWizard, current: WizardStep): string {
  const index = WIZARD_STEPS.findIndex(({ step }) => step === current);
  return `${WIZARD_STEPS[index]?.label} - ${WIZARD_HEADERS[wizard]} - step ${index + 1} of ${WIZARD_STEPS.length}`;
}

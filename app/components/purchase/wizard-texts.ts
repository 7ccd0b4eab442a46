import { pageTitle } from "~/components/page-title";
import { type CertificateWizard, type WizardStep } from "~/lib/paths";

/** The steps with their captions, in their order. */
export const WIZARD_STEPS: readonly { step: WizardStep; label: string }[] = [
  { step: "contact-details", label: "Contact details" },
  { step: "order", label: "Order" },
  { step: "invoice-address", label: "Invoice address" },
  { step: "order-complete", label: "Order complete" },
];

/** The headers of B §2. */
export const WIZARD_HEADERS: Record<CertificateWizard, string> = {
  purchase: "Purchase Certificate",
  renew: "Renew Certificate",
};

/** A step's title: 'Order - Purchase Certificate - step 2 of 4'. */
export function stepTitle(wizard: CertificateWizard, current: WizardStep): string {
  const index = WIZARD_STEPS.findIndex(({ step }) => step === current);
  return `${WIZARD_STEPS[index]?.label} - ${WIZARD_HEADERS[wizard]} - step ${index + 1} of ${WIZARD_STEPS.length}`;
}

/** `export const meta = stepMeta("purchase", "order")` */
export const stepMeta = (wizard: CertificateWizard, step: WizardStep) => pageTitle(stepTitle(wizard, step));

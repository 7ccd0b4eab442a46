import { type CertificateWizard, paths, type WizardStep } from "~/lib/paths";

/** All wizards that end in an order. */
export type PurchaseWizard = CertificateWizard | "codes";

interface Step {
  step: WizardStep;
  label: string;
}

const FIRST_STEPS: readonly Step[] = [
  { step: "contact-details", label: "Contact details" },
  { step: "order", label: "Order" },
];

/** Returns the steps with their captions, in order. A member who only prepares a renewal hands it over at the end. */
export const wizardSteps = (handsOver: boolean): readonly Step[] =>
  handsOver
    ? [...FIRST_STEPS, { step: "invoice-address", label: "Hand over" }]
    : [
        ...FIRST_STEPS,
        { step: "invoice-address", label: "Invoice address" },
        { step: "order-complete", label: "Order complete" },
      ];

/** The headers of PUR-02. CPO-01 names none for codes. */
export const WIZARD_HEADERS: Record<PurchaseWizard, string> = {
  purchase: "Purchase Certificate",
  renew: "Renew Certificate",
  codes: "Purchase ID codes",
};

/** Returns the address of a step of a wizard. */
export const stepPath = (wizard: PurchaseWizard, step: WizardStep, draft?: string): string =>
  wizard === "codes" ? paths.codePurchase(step, draft) : paths.certificateWizard(wizard, step, draft);

/** Returns the title of a step: 'Order - Purchase Certificate - step 2 of 4'. */
export function stepTitle(wizard: PurchaseWizard, current: WizardStep, handsOver = false): string {
  const steps = wizardSteps(handsOver);
  const index = steps.findIndex(({ step }) => step === current);
  return `${steps[index]?.label} - ${WIZARD_HEADERS[wizard]} - step ${index + 1} of ${steps.length}`;
}

import { Outlet, useLocation, useSearchParams } from "@remix-run/react";
import { WizardSteps } from "./wizard-steps";
import { type PurchaseWizard, stepPath, WIZARD_STEPS } from "./wizard-texts";

/** The steps above a step's page. */
export function WizardFrame({ wizard }: { wizard: PurchaseWizard }) {
  const { pathname } = useLocation();
  const draft = useSearchParams()[0].get("draft") ?? undefined;
  const current = WIZARD_STEPS.findIndex(({ step }) => pathname.endsWith(`/${step}`));
  const steps = WIZARD_STEPS.map(({ step, label }) => ({ label, to: stepPath(wizard, step, draft) }));
  return (
    <div className="stack-l">
      <WizardSteps steps={steps} current={current} locked={current === WIZARD_STEPS.length - 1} />
      <Outlet />
    </div>
  );
}

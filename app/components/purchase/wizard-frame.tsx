import { Outlet, useLocation, useSearchParams, Link } from "@remix-run/react";
import { Note } from "../ui/note";
import { type PurchaseWizard, stepPath, wizardSteps } from "./wizard-texts";

interface FrameProps {
  wizard: PurchaseWizard;
  /** Why the account cannot order, or null. */
  barrier: string | null;
  /** Whether the user only prepares a renewal. */
  handsOver?: boolean;
}

/** The list of steps above the page of a step. */
export function WizardFrame({ wizard, barrier, handsOver = false }: FrameProps) {
  const { pathname } = useLocation();
  const draft = useSearchParams()[0].get("draft") ?? undefined;
  const steps = wizardSteps(handsOver).map(({ step, label }) => ({ step, label, to: stepPath(wizard, step, draft) }));
  const current = steps.findIndex(({ step }) => pathname.endsWith(`/${step}`));
  return (
    <div className="stack-l">
      <WizardSteps steps={steps} current={current} locked={steps[current]?.step === "order-complete"} />
      {barrier && <Note tone="warn">{barrier}</Note>}
      <Outlet />
    </div>
  );
}

interface Props {
  steps: readonly { label: string; to: string }[];
  /** The index of the step on this page. */
  current: number;
  /** True when the order is complete and no step can be opened again. */
  locked?: boolean;
}

export function WizardSteps({ steps, current, locked }: Props) {
  return (
    <nav aria-label="Steps">
      <ol className="steps" role="list">
        {steps.map(({ label, to }, index) => {
          const finished = index < current;
          return (
            <li
              key={label}
              className={finished ? "finished" : undefined}
              aria-current={index === current ? "step" : undefined}
            >
              <span>
                {finished && !locked ? <Link to={to}>{label}</Link> : label}
                {finished && <span className="vh"> (finished)</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

import { Link } from "@remix-run/react";

interface Props {
  steps: readonly { label: string; to: string }[];
  /** Index of the step on this page. */
  current: number;
  /** Once the task is done no step can be opened again. */
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

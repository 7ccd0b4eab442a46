import { type ProgressStep } from "~/domain/orders/own/progress.policy";
import { Time } from "../ui/time";

const SAID: Record<ProgressStep["state"], string> = { done: ", done", current: "", open: "", ended: "" };

/** Class names of their own, because others have the names of the states. */
const MARKED: Record<ProgressStep["state"], string | undefined> = {
  done: "finished",
  current: undefined,
  open: undefined,
  ended: "ended",
};

interface Props {
  steps: readonly ProgressStep[];
  /** What can be done about a step, below its text. */
  actions?: Partial<Record<ProgressStep["name"], React.ReactNode>>;
}

/** The steps of an order on its way, each with when it was done or what it waits for. */
export const OrderProgress = ({ steps, actions = {} }: Props) => (
  <ol className="order-steps" role="list">
    {steps.map(({ name, title, state, at, text }) => (
      <li key={`${name} ${title}`} className={MARKED[state]} aria-current={state === "current" ? "step" : undefined}>
        <div>
          <h3>
            {title}
            <span className="vh">{SAID[state]}</span>
          </h3>
          {(at !== null || text !== "") && (
            <p>
              {at !== null && <Time value={at} withTime />}
              {at !== null && text !== "" && ", "}
              <bdi>{text}</bdi>
            </p>
          )}
          {actions[name]}
        </div>
      </li>
    ))}
  </ol>
);

import { type SalesOrderQuestion } from "~/domain/orders/sales-order-question";
import { ConfirmStep } from "../ui/confirm-step";

/** The action's answer before a sales order with consequences is saved. No other answer has a `question`. */
export interface AskedAboutOrder {
  asked?: Record<string, string>;
  question?: SalesOrderQuestion;
}

interface Props {
  answer: AskedAboutOrder | undefined;
  /** The page behind the question. */
  children: React.ReactNode;
}

const NOTHING_ASKED: SalesOrderQuestion = { title: "", question: "", consequences: [], confirmLabel: "" };

/** Asks before a sales order is saved when the customer will be notified or the change cannot be undone. */
export function OrderQuestion({ answer, children }: Props) {
  const { consequences, isDangerous, ...words } = answer?.question ?? NOTHING_ASKED;
  return (
    <ConfirmStep
      {...words}
      variant={isDangerous ? "danger" : "primary"}
      asked={answer?.question && answer.asked}
      cancelLabel="Back"
      details={
        consequences.length > 0 && (
          <ul>
            {consequences.map((text) => (
              <li key={text} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        )
      }
    >
      {children}
    </ConfirmStep>
  );
}

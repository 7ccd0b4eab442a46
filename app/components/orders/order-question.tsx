import { type SalesOrderQuestion } from "~/domain/orders/sales-order-question";
import { ConfirmStep } from "../ui/confirm-step";

/** What the action answers before a sales order is saved with consequences; nothing else asks with `question`. */
export interface AskedAboutOrder {
  asked?: Record<string, string>;
  question?: SalesOrderQuestion;
}

interface Props {
  answer: AskedAboutOrder | undefined;
  /** The page that asks. */
  children: React.ReactNode;
}

const NOTHING_ASKED: SalesOrderQuestion = { title: "", question: "", consequences: [], confirmLabel: "" };

/** Asks before a sales order is saved that the customer is told about, or that cannot be changed back. */
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

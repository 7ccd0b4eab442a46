import { ASKS_TO_CREDIT, ASKS_TO_ISSUE } from "~/domain/orders/sales-order.fields";
import { ConfirmStep } from "../certificates/confirm-step";

/** What the action answers before an invoice is issued or credited with the status of its order; nothing else asks with `question`. */
export interface AskedAboutInvoice {
  asked?: Record<string, string>;
  question?: string;
  asks?: string;
}

const WORDS = {
  [ASKS_TO_CREDIT]: { title: "Cancel Order", confirmLabel: "Cancel Order and Issue Credit Note", variant: "danger" },
  [ASKS_TO_ISSUE]: { title: "Issue Invoice", confirmLabel: "Issue Invoice", variant: "primary" },
} as const;

interface Props {
  answer: AskedAboutInvoice | undefined;
  /** The page that asks. */
  children: React.ReactNode;
}

/** Asks before the status of an order brings about a document that goes to the customer and stays. */
export function InvoiceQuestion({ answer, children }: Props) {
  const isCredit = answer?.asks !== ASKS_TO_ISSUE;
  return (
    <ConfirmStep
      {...WORDS[isCredit ? ASKS_TO_CREDIT : ASKS_TO_ISSUE]}
      asked={answer?.question === undefined ? undefined : answer.asked}
      question={answer?.question ?? ""}
      cancelLabel="Back"
      details={
        isCredit ? (
          <p>
            The credit note is sent to the customer. Reason: <bdi>{answer?.asked?.remarks}</bdi>
          </p>
        ) : (
          <p>It is sent to the customer and cannot be changed afterwards, only cancelled by a credit note.</p>
        )
      }
    >
      {children}
    </ConfirmStep>
  );
}

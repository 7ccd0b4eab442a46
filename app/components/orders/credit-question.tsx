import { ConfirmStep } from "../certificates/confirm-step";

/** What the action answers before the invoice of an order that is cancelled is credited; nothing else asks with `question`. */
export interface AskedToCredit {
  asked?: Record<string, string>;
  question?: string;
}

interface Props {
  answer: AskedToCredit | undefined;
  /** The page that asks. */
  children: React.ReactNode;
}

/** Asks before an order is cancelled whose invoice is then credited. */
export const CreditQuestion = ({ answer, children }: Props) => (
  <ConfirmStep
    asked={answer?.question === undefined ? undefined : answer.asked}
    title="Cancel Order"
    question={answer?.question ?? ""}
    confirmLabel="Cancel Order and Issue Credit Note"
    cancelLabel="Back"
    details={
      <p>
        The credit note is sent to the customer. Reason: <bdi>{answer?.asked?.remarks}</bdi>
      </p>
    }
  >
    {children}
  </ConfirmStep>
);

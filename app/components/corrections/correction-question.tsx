import { type CorrectionPreview } from "~/domain/orders/corrections/corrections.service.server";
import { ConfirmStep } from "../ui/confirm-step";
import { ChangeList } from "./change-list";

/** The action's answer before an order is corrected. */
export interface AskedAboutCorrection {
  asked?: Record<string, string>;
  preview?: CorrectionPreview;
}

/** Says what a correction does, and asks before it is made. */
export function CorrectionQuestion({
  answer,
  orderNumber,
  children,
}: {
  answer: AskedAboutCorrection | undefined;
  orderNumber: string;
  children: React.ReactNode;
}) {
  const { asked, preview } = answer ?? {};
  return (
    <ConfirmStep
      asked={preview && asked}
      title="Correct order"
      question={
        preview?.replacesInvoice
          ? `Are you sure you wish to correct order ${orderNumber} and replace its invoice?`
          : `Are you sure you wish to correct order ${orderNumber}?`
      }
      confirmLabel="Correct order"
      cancelLabel="Back"
      variant="primary"
      details={
        preview && (
          <div className="stack">
            <ul>
              {preview.effects.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
            <ChangeList changes={preview.changes} />
          </div>
        )
      }
    >
      {children}
    </ConfirmStep>
  );
}

import { Form } from "@remix-run/react";
import { useState } from "react";
import { ConfirmedFields, type FieldsToSend } from "../forms/confirmed-fields";
import { CsrfField } from "../forms/csrf-field";
import { ButtonRow, SubmitButton } from "./buttons";
import { ConfirmPanel } from "./confirm-panel";
import { useHasScripts } from "./has-scripts";
import { Modal } from "./modal";

interface Props {
  /** The fields to send again with `confirmed=yes`, from the action's answer. Undefined while there is no question. */
  asked: FieldsToSend | undefined;
  title: string;
  /** The exact text of the question. */
  question: string;
  confirmLabel: string;
  cancelTo?: string;
  cancelLabel?: string;
  variant?: "danger" | "primary";
  /** With scripts: called when the dialog is closed without an answer. */
  onCancel?: () => void;
  /** Details of what is about to happen. */
  details?: React.ReactNode;
  /** The page behind the question. */
  children: React.ReactNode;
}

/** Asks before something happens: on a separate page or, with scripts, in a dialog over the page, which keeps the typed values. */
export function ConfirmStep({ asked, details, onCancel, children, ...panel }: Props) {
  const hasScripts = useHasScripts();
  const [dismissed, setDismissed] = useState<Props["asked"]>();
  if (!asked || dismissed === asked) return children;
  if (!hasScripts) {
    return (
      <ConfirmPanel {...panel} fields={asked}>
        {details}
      </ConfirmPanel>
    );
  }
  const close = () => {
    setDismissed(asked);
    onCancel?.();
  };
  return (
    <>
      {children}
      <Modal title={panel.title} onClose={close}>
        <p>
          <strong>{panel.question}</strong>
        </p>
        {details}
        <Form method="post">
          <CsrfField />
          <ConfirmedFields fields={asked} />
          <ButtonRow>
            <SubmitButton variant={panel.variant ?? "danger"}>{panel.confirmLabel}</SubmitButton>
            <button type="button" className="btn" onClick={close} data-first-focus="">
              {panel.cancelLabel ?? "Cancel"}
            </button>
          </ButtonRow>
        </Form>
      </Modal>
    </>
  );
}

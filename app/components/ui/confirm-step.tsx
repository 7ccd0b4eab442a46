import { Form } from "@remix-run/react";
import { useState } from "react";
import { ConfirmedFields, type FieldsToSend } from "../forms/confirmed-fields";
import { CsrfField } from "../forms/csrf-field";
import { ButtonRow, SubmitButton } from "./buttons";
import { ConfirmPanel } from "./confirm-panel";
import { useHasScripts } from "./has-scripts";
import { FIRST_FOCUS, Modal } from "./modal";

interface Props {
  /** The fields to send again with `confirmed=yes`, out of the action's answer; undefined while nothing is asked. */
  asked: FieldsToSend | undefined;
  title: string;
  /** The exact words of the question. */
  question: string;
  confirmLabel: string;
  cancelTo?: string;
  cancelLabel?: string;
  variant?: "danger" | "primary";
  /** With scripts: the dialog was closed without an answer. */
  onCancel?: () => void;
  /** What is about to happen, in detail. */
  details?: React.ReactNode;
  /** The page that asks. */
  children: React.ReactNode;
}

/** Asks before something happens: a page of its own, and with scripts a dialog over the page that keeps what was typed. */
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
            <button type="button" className="btn" onClick={close} {...{ [FIRST_FOCUS]: "" }}>
              {panel.cancelLabel ?? "Cancel"}
            </button>
          </ButtonRow>
        </Form>
      </Modal>
    </>
  );
}

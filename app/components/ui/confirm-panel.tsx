import { Form } from "@remix-run/react";
import { ConfirmedFields, type FieldsToSend } from "../forms/confirmed-fields";
import { CsrfField } from "../forms/csrf-field";
import { ButtonRow, LinkButton, SubmitButton } from "./buttons";
import { PageHeader } from "./page-header";

interface Props {
  /** The exact text of the question. */
  question: string;
  title: string;
  confirmLabel: string;
  /** The address of Cancel. Without it Cancel sends the fields with `back=yes`, for a page that shows the typed values again. */
  cancelTo?: string;
  cancelLabel?: string;
  /** The fields that the confirmed form sends besides `confirmed=yes`. */
  fields?: FieldsToSend;
  variant?: "danger" | "primary";
  action?: string;
  children?: React.ReactNode;
}

/** A separate page that asks before something happens. It is the same with and without scripts. */
export function ConfirmPanel(props: Props) {
  const { question, title, confirmLabel, cancelTo, cancelLabel = "Cancel", fields = {}, variant = "danger" } = props;
  return (
    <div className="narrow">
      <PageHeader title={title} />
      <p>
        <strong>{question}</strong>
      </p>
      {props.children}
      <Form method="post" action={props.action}>
        <CsrfField />
        <ConfirmedFields fields={fields} />
        <ButtonRow>
          <SubmitButton variant={variant}>{confirmLabel}</SubmitButton>
          {cancelTo ? (
            <LinkButton to={cancelTo}>{cancelLabel}</LinkButton>
          ) : (
            <SubmitButton name="back" value="yes" variant="secondary">
              {cancelLabel}
            </SubmitButton>
          )}
        </ButtonRow>
      </Form>
    </div>
  );
}

import { Form, useNavigate } from "@remix-run/react";
import { useContext } from "react";
import { useIsSubmitting } from "remix-validated-form";
import { CsrfField } from "../forms/csrf-field";
import { FormIdContext, NO_FORM } from "../forms/form-id";
import { CANCEL_QUESTION } from "../forms/unsaved-changes";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";

/**
 * A button that leaves the form. It is hidden while the form is being sent (REG-05). With scripts UnsavedChanges asks first. Without
 * scripts the button submits the form and the server asks.
 */
export function CancelButton({ to }: { to: string }) {
  const navigate = useNavigate();
  const isProcessing = useIsSubmitting(useContext(FormIdContext) ?? NO_FORM);
  if (isProcessing) return null;
  return (
    <SubmitButton
      intent="cancel"
      variant="quiet"
      skipValidation
      onClick={(event) => {
        if (event.defaultPrevented) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      Cancel
    </SubmitButton>
  );
}

interface Props {
  title: string;
  /** The address that Yes opens. */
  leaveTo: string;
  /** The typed values for No, without passwords. */
  values: Readonly<Record<string, string>>;
}

/** The server's question after Cancel on a changed form. No sends `intent=keep` with the typed values. */
export function CancelQuestion({ title, leaveTo, values }: Props) {
  return (
    <div className="narrow">
      <PageHeader title={title} />
      <p>
        <strong>{CANCEL_QUESTION}</strong>
      </p>
      <p>What you have entered has not been saved.</p>
      <Form method="post">
        <CsrfField />
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ButtonRow>
          <LinkButton to={leaveTo} variant="danger">
            Yes
          </LinkButton>
          <SubmitButton intent="keep" variant="secondary">
            No
          </SubmitButton>
        </ButtonRow>
      </Form>
    </div>
  );
}

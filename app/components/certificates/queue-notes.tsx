import { Form } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";

/** Says what has to be recorded when a paid order ends. */
export function RefundNote({ text }: { text: string | null }) {
  return (
    text !== null && (
      <Note tone="warn" title="This order is paid.">
        {text} Record it under Invoice and payment: choose Cancelled, with a note in the remarks.
      </Note>
    )
  );
}

interface IssuingProps {
  /** Why there is no certificate yet. */
  text: string;
  /** The page on which the user confirms it to the signer, or null. */
  confirmAt: string | null;
}

/** Why an approved order has no certificate yet, and the buttons that confirm it to the signer or undo its approval. */
export function UndoIssuing({ text, confirmAt }: IssuingProps) {
  return (
    <Form method="post">
      <CsrfField />
      <p>{text}</p>
      <div className="row">
        {confirmAt !== null && (
          <LinkButton to={confirmAt} variant="primary" small>
            Confirm to the signer
          </LinkButton>
        )}
        <SubmitButton intent="undo" variant="caution" small>
          Undo approval
        </SubmitButton>
      </div>
    </Form>
  );
}

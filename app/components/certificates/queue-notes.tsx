import { Form } from "@remix-run/react";
import { CsrfField } from "~/components/forms/csrf-field";
import { SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { ISSUING_HELP } from "~/domain/certificates/queue/order-decision.policy";

/** Says what has to be recorded when a paid order ends. */
export function RefundNote({ text }: { text: string | null }) {
  return (
    text !== null && (
      <Note tone="warn" title="This order is paid.">
        {text} Record it under Invoice and Payment: choose Cancelled, with a note in the remarks.
      </Note>
    )
  );
}

/** The button that undoes an issuing that does not end. */
export function UndoIssuing({ text }: { text: string }) {
  return (
    <Form method="post">
      <CsrfField />
      <p>
        {text} {ISSUING_HELP}
      </p>
      <SubmitButton intent="undo" variant="danger" small>
        Undo Approval
      </SubmitButton>
    </Form>
  );
}

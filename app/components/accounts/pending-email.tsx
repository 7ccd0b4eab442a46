import { Form } from "@remix-run/react";
import { type PendingEmail } from "~/domain/accounts/email-change.service.server";
import { CsrfField } from "../forms/csrf-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

interface Props {
  pending: PendingEmail;
  /** The address that the account keeps until then. */
  current: string;
  /** An administrator acts as the user: it is not theirs to decide. */
  isActing: boolean;
}

/** Above user details: the address that waits for its link. */
export function PendingEmailNote({ pending, current, isActing }: Props) {
  return (
    <Note title="The new e-mail address is not confirmed yet.">
      <p>
        A message with a link was sent to <strong>{pending.email}</strong>. Until the link is used, the account keeps{" "}
        <strong>{current}</strong>. The link can be used until <Time value={pending.expiresAt} withTime />.
      </p>
      {!isActing && (
        <Form method="post">
          <CsrfField />
          <ButtonRow>
            <SubmitButton variant="secondary" small intent="send-email-link">
              Send the link again
            </SubmitButton>
            <SubmitButton variant="secondary" small intent="withdraw-email">
              Withdraw the new address
            </SubmitButton>
          </ButtonRow>
        </Form>
      )}
    </Note>
  );
}

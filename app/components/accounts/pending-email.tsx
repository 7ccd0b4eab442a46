import { Form } from "@remix-run/react";
import { type PendingEmail } from "~/domain/accounts/email-change.service.server";
import { CsrfField } from "../forms/csrf-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

interface Props {
  pending: PendingEmail;
  /** The address that the account has until the new one is confirmed. */
  current: string;
  /** An administrator acts as the user and may not decide about the address. */
  isActing: boolean;
}

/** The note above user details about an email address that is not confirmed yet. */
export function PendingEmailNote({ pending, current, isActing }: Props) {
  return (
    <Note title="The new email address is not confirmed yet.">
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

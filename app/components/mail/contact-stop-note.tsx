import { Form } from "@remix-run/react";
import { CsrfField } from "../forms/csrf-field";
import { SubmitButton } from "../ui/buttons";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

/** The button's `intent`. */
export const ALLOW_MESSAGES = "allow-messages";

interface Props {
  email: string;
  /** When the owner of the address asked for no more messages. */
  stoppedAt: string;
  /** Whether the user may allow the messages again. */
  mayAllow: boolean;
}

/** Tells staff that an address wants no more messages as a contact, and lets them undo this, e.g. after a telephone call. */
export const ContactStopNote = ({ email, stoppedAt, mayAllow }: Props) => (
  <Note tone="warn" title="This contact said: not me, send nothing more.">
    <Form method="post" className="row spread">
      <CsrfField />
      <p>
        Since <Time value={stoppedAt} withTime /> no message of any order is sent to <bdi>{email}</bdi> as a contact.
        Requests to authorise wait.
      </p>
      {mayAllow && (
        <SubmitButton intent={ALLOW_MESSAGES} variant="secondary" small>
          Allow messages again
        </SubmitButton>
      )}
    </Form>
  </Note>
);

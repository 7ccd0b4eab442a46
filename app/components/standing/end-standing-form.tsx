import { END_STANDING_FORM, STANDING_NOTE_LIMIT } from "~/domain/certificates/standing/standing";
import { endStandingValidator } from "~/domain/certificates/standing/validators";
import { PortalForm } from "../forms/form";
import { TextareaField } from "../forms/textarea-field";
import { ButtonRow, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";

interface EndProps {
  title: string;
  button: string;
  hint?: string;
}

/** The form with which either side ends a standing authorisation, or refuses one that waits. */
export const EndStandingForm = ({ title, button, hint }: EndProps) => (
  <Card title={title}>
    <PortalForm id={END_STANDING_FORM} validator={endStandingValidator}>
      <TextareaField name="reason" label="Reason" hint={hint} limit={STANDING_NOTE_LIMIT} rows={3} required />
      <ButtonRow>
        <SubmitButton intent="end" variant="danger" busyText="Ending…">
          {button}
        </SubmitButton>
      </ButtonRow>
    </PortalForm>
  </Card>
);

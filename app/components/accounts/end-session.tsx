import { type SessionView } from "~/domain/accounts/sessions/sessions.service.server";
import { endSessionValidator as validator } from "~/domain/accounts/sessions/validators";
import { paths } from "~/lib/paths";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { PasswordField } from "../forms/password-field";
import { HiddenField } from "../forms/portal-field";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { PageHeader } from "../ui/page-header";

export const END_SESSION_FORM = "end-session";

const LABELS = { currentPassword: "Current password" };

interface Props {
  /** What the form sends: the id of the session or, for all others, their word. */
  end: string;
  /** The session to end; undefined for all others. */
  session: SessionView | undefined;
}

const ONE = { title: "End session", question: "Are you sure you wish to end this session?" };
const OTHERS = {
  title: "End all others",
  question: "Are you sure you wish to end all your other sessions, in browsers and in programs?",
};

/** The page that asks before sessions end. It needs the password, so that nobody at an unattended screen can end the owner's sessions. */
export function EndSession({ end, session }: Props) {
  const { title, question } = session ? ONE : OTHERS;
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={END_SESSION_FORM} labels={LABELS} />
      <PageHeader title={title} />
      <p>
        <strong>{question}</strong>
      </p>
      {session && <p>{[session.device, session.address].filter(Boolean).join(", ")}</p>}
      <PortalForm id={END_SESSION_FORM} validator={validator} defaultValues={{ end }}>
        <HiddenField name="end" />
        <PasswordField
          name="currentPassword"
          label={LABELS.currentPassword}
          autoComplete="current-password"
          maxLength={50}
        />
        <ButtonRow>
          <SubmitButton intent="end" variant="danger">
            {title}
          </SubmitButton>
          <LinkButton to={paths.sessions}>Cancel</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

import { Link } from "@remix-run/react";
import { useMemo } from "react";
import { DEAD_CODE_MESSAGES, type DeadCode } from "~/domain/accounts/recovery/recovery-messages";
import { resetCodeValidator } from "~/domain/accounts/recovery/validators";
import { paths } from "~/lib/paths";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { TextField } from "../forms/text-field";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { Note } from "../ui/note";
import { PageHeader } from "../ui/page-header";

const FORM = "reset-code";
const LABELS = { resetCode: "Reset code", securityAnswer: "Security answer" } as const;

interface Props {
  email: string;
  /** The code from the link, or "". */
  code: string;
  /** Null when the account has no security question. Then no answer is asked for. */
  question: string | null;
  /** The owner of the code, once the code is known to be valid. */
  username: string | null;
  /** Why the code from the link cannot be used. Null when it can, or when there is none. */
  dead: DeadCode | null;
  /** The message of a refused check. */
  info: string | undefined;
}

/** The reset code and the security answer (REC-03). Pasting works here. */
export function ResetCodeScreen({ email, code, question, username, dead, info: refusal }: Props) {
  const asksAnswer = question !== null;
  const info = refusal ?? (dead && DEAD_CODE_MESSAGES[dead]);
  const validator = useMemo(() => resetCodeValidator(asksAnswer), [asksAnswer]);
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
      <PageHeader title="Password Recovery">
        {code
          ? `Check the reset code of the message that we sent you${username ? `, for the account ${username}` : ""}.`
          : `If there is an account for ${email}, a message with a reset code is on its way. Follow its link, or enter the code here.`}
      </PageHeader>
      {info && (
        <div role="alert">
          <Note>
            {info}
            {dead && dead !== "locked" && (
              <>
                {" "}
                <Link to={paths.forgotPassword}>Ask for a new code</Link>
              </>
            )}
          </Note>
        </div>
      )}
      <PortalForm id={FORM} validator={validator} method="post" defaultValues={{ resetCode: code }}>
        <TextField
          name="resetCode"
          label={LABELS.resetCode}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          mono
          required
        />
        <TextField
          name="securityAnswer"
          label={LABELS.securityAnswer}
          hint={question ?? "No security question is stored for your account, so no answer is needed."}
          help={
            asksAnswer && (
              <p>
                It is the answer that you gave when you registered. If you never chose a question, follow the link in
                the message: no answer is asked there.
              </p>
            )
          }
          autoComplete="off"
          maxLength={200}
          disabled={!asksAnswer}
          required={asksAnswer}
        />
        <ButtonRow>
          <SubmitButton>Continue</SubmitButton>
          <LinkButton to={paths.forgotPassword}>Back</LinkButton>
          <LinkButton to={paths.root} variant="quiet">
            Cancel
          </LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

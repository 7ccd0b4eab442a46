import { PasswordField } from "../forms/password-field";
import { Card } from "../ui/card";
import {
  NEW_PASSWORD_LABELS,
  PasswordPair,
  QUESTION_LABELS,
  SecretsAgain,
  SecurityQuestionFields,
} from "./secret-fields";

export const SECURITY_LABELS = {
  currentPassword: "Current password",
  ...NEW_PASSWORD_LABELS,
  ...QUESTION_LABELS,
} as const;

interface Props {
  /** The offered questions and the stored one, which is "" when there is none. */
  questions: readonly string[];
  stored: string;
  passwordMinLength: number;
  /** An administrator acts as the user and may change nothing here. */
  isActing: boolean;
}

/** The panel Security of user details: password, security question and answer (USR-05). */
export function SecurityFields({ questions, stored, passwordMinLength, isActing }: Props) {
  if (isActing)
    return (
      <Card title="Security">
        <p>Only the user can change the password and the security question.</p>
      </Card>
    );
  return (
    <Card title="Security">
      <p>Leave the password and the answer empty to keep them. A new password ends all other sessions.</p>
      <SecretsAgain />
      <PasswordField
        name="currentPassword"
        label={SECURITY_LABELS.currentPassword}
        hint="Required to change the email address or anything below"
        autoComplete="current-password"
        maxLength={50}
      />
      <PasswordPair minLength={passwordMinLength} />
      <SecurityQuestionFields
        questions={questions}
        stored={stored}
        answerHint={stored ? "Another question needs an answer of its own." : undefined}
      />
    </Card>
  );
}

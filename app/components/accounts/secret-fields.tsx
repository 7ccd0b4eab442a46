import { useActionData } from "@remix-run/react";
import { PasswordField } from "../forms/password-field";
import { SelectField } from "../forms/select-field";
import { TextField } from "../forms/text-field";
import { useMaybeShell } from "../shell/shell";
import { Note } from "../ui/note";

export const NEW_PASSWORD_LABELS = { password: "New password", confirmPassword: "Confirm new password" } as const;
export const QUESTION_LABELS = { securityQuestion: "Security question", securityAnswer: "Security answer" } as const;

/** Shown when a form with secrets came back, because secrets are never filled in again. */
export function SecretsAgain({ secrets = "Passwords and the security answer" }: { secrets?: string }) {
  const answer = useActionData<{ hadSecrets?: boolean }>();
  const unsent = useMaybeShell()?.unsent;
  if (!(answer ?? unsent)?.hadSecrets) return null;
  return <Note>{secrets} are never sent back to you. Please type them again.</Note>;
}

interface PasswordPairProps {
  labels?: Record<keyof typeof NEW_PASSWORD_LABELS, string>;
  minLength: number;
  /** Blocks pasting where the configuration allows it (REG-06). */
  noPaste?: boolean;
}

/** A new password and its confirmation. */
export function PasswordPair({ labels = NEW_PASSWORD_LABELS, minLength, noPaste }: PasswordPairProps) {
  return (
    <>
      <PasswordField
        name="password"
        label={labels.password}
        hint={`${minLength} to 50 characters`}
        autoComplete="new-password"
        maxLength={50}
        noPaste={noPaste}
      />
      <PasswordField
        name="confirmPassword"
        label={labels.confirmPassword}
        autoComplete="new-password"
        maxLength={50}
        noPaste={noPaste}
      />
    </>
  );
}

interface SecurityQuestionProps {
  questions: readonly string[];
  /** The stored question, or "" when there is none. It may no longer be among the offered questions. */
  stored?: string;
  answerHint?: string;
  required?: boolean;
}

export function SecurityQuestionFields({ questions, stored = "", answerHint, required }: SecurityQuestionProps) {
  const offered = stored && !questions.includes(stored) ? [stored, ...questions] : questions;
  return (
    <>
      <SelectField
        name="securityQuestion"
        label={QUESTION_LABELS.securityQuestion}
        placeholder={stored ? undefined : "Select security question"}
        options={offered.map((question) => ({ value: question, label: question }))}
      />
      <TextField
        name="securityAnswer"
        label={QUESTION_LABELS.securityAnswer}
        hint={answerHint}
        autoComplete="off"
        maxLength={120}
        required={required}
      />
    </>
  );
}

import { Link, type ShouldRevalidateFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { OwnTelephoneField, AccountFields } from "~/components/accounts/account-fields";
import { CancelButton, CancelQuestion } from "~/components/accounts/cancel";
import { PasswordPair, SecretsAgain, SecurityQuestionFields } from "~/components/accounts/secret-fields";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { TextField } from "~/components/forms/text-field";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { DUPLICATE_EMAIL } from "~/domain/accounts/duplicate-email";
import { registrationValidator } from "~/domain/accounts/validators";
import { ROLE_NAMES } from "~/domain/companies/roles.policy";
import { paths } from "~/lib/paths";
import { FORM, LABELS, ORDER } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

/** The page stays when the form was refused. The loader would redirect a user who logged in in another tab. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  actionStatus !== undefined && actionStatus >= 400 ? false : defaultShouldRevalidate;

interface Answer {
  asksToCancel?: boolean;
  hadSecrets?: boolean;
  repopulateFields?: Record<string, string>;
  fieldErrors?: Record<string, string>;
}

/** Links for a visitor who already has an account. */
function KnownEmail() {
  return (
    <Note tone="warn" title="You have an account already.">
      <Link to={paths.login()}>Log in</Link> or <Link to={paths.forgotPassword}>set a new password</Link>.
    </Note>
  );
}

export default function Register() {
  const { securityQuestions, passwordMinLength, invitation } = useLoaderData<typeof loader>();
  const validator = useMemo(() => registrationValidator(passwordMinLength), [passwordMinLength]);
  const fixed = invitation
    ? { company: invitation.company, email: invitation.email, confirmEmail: invitation.email }
    : {};
  const answer = useActionData<Answer>();
  if (answer?.asksToCancel) {
    const values = { ...answer.repopulateFields, ...(answer.hadSecrets && { hadSecrets: "yes" }) };
    return <CancelQuestion title="Registration" leaveTo={paths.login()} values={values} />;
  }
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={ORDER} labels={LABELS} />
      <PageHeader title="Registration">
        {invitation
          ? `Register to join ${invitation.company} as ${ROLE_NAMES[invitation.role]}.`
          : "Register your company to buy certificates and identification codes."}
      </PageHeader>
      {answer?.fieldErrors?.email === DUPLICATE_EMAIL && <KnownEmail />}
      <PortalForm id={FORM} validator={validator} defaultValues={fixed}>
        <Card title="Your details">
          <AccountFields
            labels={LABELS}
            {...(invitation && { fixedCompany: "This is the company that has invited you." })}
          />
          <OwnTelephoneField label={LABELS.telephoneNumber} />
        </Card>
        <Card title="Your account">
          <SecretsAgain />
          <TextField
            name="email"
            label={LABELS.email}
            type="email"
            autoComplete="email"
            maxLength={200}
            readOnly={invitation !== null}
            noPaste={!invitation}
            required
          />
          <TextField
            name="confirmEmail"
            label={LABELS.confirmEmail}
            type="email"
            autoComplete="email"
            maxLength={200}
            readOnly={invitation !== null}
            noPaste={!invitation}
            required
          />
          <PasswordPair labels={LABELS} minLength={passwordMinLength} noPaste />
          <SecurityQuestionFields questions={securityQuestions} required />
        </Card>
        <ButtonRow>
          <SubmitButton busyText="Registering…">Register</SubmitButton>
          <CancelButton to={paths.login()} />
        </ButtonRow>
        <UnsavedChanges formId={FORM} />
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Registration");

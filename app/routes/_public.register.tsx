import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { ButtonRow, SubmitButton } from "~/components/buttons";
import { CancelButton, CancelQuestion } from "~/components/cancel";
import { Card } from "~/components/card";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { Note } from "~/components/note";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { PasswordField } from "~/components/password-field";
import { SelectField } from "~/components/select-field";
import { TextField } from "~/components/text-field";
import { UnsavedChanges } from "~/components/unsaved-changes";
import { registrationValidator } from "~/domain/accounts/accounts.lazy-validators";
import { registerUser } from "~/domain/accounts/registration.service.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { addressOf, countTry } from "~/http/rate-limit.server";
import { invalid, refused } from "~/http/responses.server";
import { startSession } from "~/http/session.server";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";

const FORM = "register";

/** The fields in the order of the page. */
const LABELS = {
  firstName: "First name",
  lastName: "Last name",
  company: "Company",
  position: "Position",
  telephoneNumber: "Telephone number",
  email: "Email",
  confirmEmail: "Confirm email",
  password: "Password",
  confirmPassword: "Confirm password",
  securityQuestion: "Security question",
  securityAnswer: "Security answer",
} as const;
const ORDER = Object.keys(LABELS);
const NEVER_SHOWN = ["password", "confirmPassword", "securityAnswer"];

/** What was typed, without passwords and answer; `isChanged` when any field was filled in. */
function readTyped(form: FormData) {
  const typed = [...form].filter(([name, value]) => ORDER.includes(name) && value !== "");
  const shown = typed.filter(([name]) => !NEVER_SHOWN.includes(name));
  return { isChanged: typed.length > 0, values: Object.fromEntries(shown) };
}

/** Without scripts a Cancel leaves at once when nothing was typed, and asks otherwise; `keep` is the answer No. */
function cancelled(form: FormData) {
  const { isChanged, values } = readTyped(form);
  const intent = form.get("intent");
  if (intent === "cancel" && !isChanged) return redirect(paths.login(), 303);
  return json({ asksToCancel: intent === "cancel", repopulateFields: values });
}

/** A logged-in user goes on to what is missing, or to the dashboard (A §2). */
async function onlyAnonymous(request: Request): Promise<void> {
  const user = await findUser(request);
  if (user) throw redirect(user.hasDetailsMissing ? paths.completeRegistration : paths.dashboard);
}

export async function loader({ request }: LoaderFunctionArgs) {
  await onlyAnonymous(request);
  const { securityQuestions, passwordMinLength } = getConfig().accounts;
  return json({ securityQuestions, passwordMinLength });
}

export async function action({ request }: ActionFunctionArgs) {
  await onlyAnonymous(request);
  const sent = await readForm(request);
  if (sent.get("intent") === "cancel" || sent.get("intent") === "keep") return cancelled(sent);
  const form = await registrationValidator(getConfig().accounts.passwordMinLength).validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await countTry("register-address", addressOf(request));
    const user = await registerUser(form.data);
    return redirect(paths.completeRegistration, { status: 303, headers: { "Set-Cookie": await startSession(user) } });
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}

export default function Register() {
  const { securityQuestions, passwordMinLength } = useLoaderData<typeof loader>();
  const validator = useMemo(() => registrationValidator(passwordMinLength), [passwordMinLength]);
  const answer = useActionData<{ asksToCancel?: boolean; repopulateFields?: Record<string, string> }>();
  if (answer?.asksToCancel)
    return <CancelQuestion title="Registration" leaveTo={paths.login()} values={answer.repopulateFields ?? {}} />;
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={ORDER} labels={LABELS} />
      <PageHeader title="Registration">Register your company to buy certificates and identification codes.</PageHeader>
      <PortalForm id={FORM} validator={validator} method="post">
        <Card title="Your details">
          <TextField name="firstName" label={LABELS.firstName} autoComplete="given-name" maxLength={59} required />
          <TextField name="lastName" label={LABELS.lastName} autoComplete="family-name" maxLength={59} required />
          <TextField name="company" label={LABELS.company} autoComplete="organization" maxLength={120} required />
          <TextField
            name="position"
            label={LABELS.position}
            autoComplete="organization-title"
            maxLength={120}
            required
          />
          <TextField
            name="telephoneNumber"
            label={LABELS.telephoneNumber}
            type="tel"
            autoComplete="tel"
            maxLength={35}
            hint="In international format, for example +44 20 7946 0123"
            required
          />
        </Card>
        <Card title="Your account">
          {answer && (
            <div className="no-js">
              <Note>Passwords and the security answer are never sent back to you. Please type them again.</Note>
            </div>
          )}
          <TextField
            name="email"
            label={LABELS.email}
            type="email"
            autoComplete="email"
            maxLength={200}
            noPaste
            required
          />
          <TextField
            name="confirmEmail"
            label={LABELS.confirmEmail}
            type="email"
            autoComplete="email"
            maxLength={200}
            noPaste
            required
          />
          <PasswordField
            name="password"
            label={LABELS.password}
            autoComplete="new-password"
            maxLength={50}
            hint={`${passwordMinLength} to 50 characters`}
            noPaste
          />
          <PasswordField
            name="confirmPassword"
            label={LABELS.confirmPassword}
            autoComplete="new-password"
            maxLength={50}
            noPaste
          />
          <SelectField
            name="securityQuestion"
            label={LABELS.securityQuestion}
            placeholder="Select security question"
            options={securityQuestions.map((question) => ({ value: question, label: question }))}
          />
          <TextField name="securityAnswer" label={LABELS.securityAnswer} autoComplete="off" maxLength={120} required />
        </Card>
        <ButtonRow>
          <SubmitButton>Register</SubmitButton>
          <CancelButton to={paths.login()} />
        </ButtonRow>
        <UnsavedChanges formId={FORM} />
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Registration");

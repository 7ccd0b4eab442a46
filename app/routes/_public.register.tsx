import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/buttons";
import { Card } from "~/components/card";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { PasswordField } from "~/components/password-field";
import { SelectField } from "~/components/select-field";
import { TextField } from "~/components/text-field";
import { UnsavedChanges } from "~/components/unsaved-changes";
import { registrationValidator as validator } from "~/domain/accounts/accounts.lazy-validators";
import { registerUser } from "~/domain/accounts/registration.service.server";
import { readForm } from "~/http/forms.server";
import { findUser } from "~/http/guard.server";
import { addressOf, countTry } from "~/http/rate-limit.server";
import { invalid, refused } from "~/http/responses.server";
import { startSession } from "~/http/session.server";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";

const ORDER = [
  "firstName",
  "lastName",
  "company",
  "position",
  "telephoneNumber",
  "email",
  "confirmEmail",
  "password",
  "confirmPassword",
  "securityQuestion",
  "securityAnswer",
];

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
  const form = await validator.validate(await readForm(request));
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
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId="register" order={ORDER} />
      <PageHeader title="Registration">Register your company to buy certificates and identification codes.</PageHeader>
      <PortalForm id="register" validator={validator} method="post">
        <Card title="Your details">
          <TextField name="firstName" label="First name" autoComplete="given-name" maxLength={59} required />
          <TextField name="lastName" label="Last name" autoComplete="family-name" maxLength={59} required />
          <TextField name="company" label="Company" autoComplete="organization" maxLength={120} required />
          <TextField name="position" label="Position" autoComplete="organization-title" maxLength={120} required />
          <TextField
            name="telephoneNumber"
            label="Telephone number"
            type="tel"
            autoComplete="tel"
            maxLength={35}
            hint="In international format, for example +44 20 7946 0123"
            required
          />
        </Card>
        <Card title="Your account">
          <TextField name="email" label="Email" type="email" autoComplete="email" maxLength={200} noPaste required />
          <TextField
            name="confirmEmail"
            label="Confirm email"
            type="email"
            autoComplete="email"
            maxLength={200}
            noPaste
            required
          />
          <PasswordField
            name="password"
            label="Password"
            autoComplete="new-password"
            maxLength={50}
            hint={`${passwordMinLength} to 50 characters`}
            noPaste
          />
          <PasswordField
            name="confirmPassword"
            label="Confirm password"
            autoComplete="new-password"
            maxLength={50}
            noPaste
          />
          <SelectField
            name="securityQuestion"
            label="Security question"
            placeholder="Select security question"
            options={securityQuestions.map((question) => ({ value: question, label: question }))}
          />
          <TextField name="securityAnswer" label="Security answer" autoComplete="off" maxLength={120} required />
        </Card>
        <ButtonRow>
          <SubmitButton>Register</SubmitButton>
          <LinkButton to={paths.login()} variant="quiet">
            Cancel
          </LinkButton>
        </ButtonRow>
        <UnsavedChanges formId="register" />
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Registration");

import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { TextField } from "~/components/forms/text-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { requestResetCode } from "~/domain/accounts/recovery/recovery.service.server";
import { forgotPasswordValidator as validator } from "~/domain/accounts/recovery/validators";
import { readForm } from "~/http/forms.server";
import { originOf } from "~/http/known-device.server";
import { invalid, refused } from "~/http/responses.server";
import { commitSession, getSession } from "~/http/session.server";
import { paths } from "~/lib/paths";

const FORM = "forgot-password";
const LABELS = { email: "Email" } as const;

/** The answer is the same whether or not the account exists. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  const email = form.data.email.toLowerCase();
  try {
    await requestResetCode(email, await originOf(request));
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
  const session = await getSession(request);
  session.set("recoveryEmail", email);
  return redirect(paths.resetCode, { status: 303, headers: { "Set-Cookie": await commitSession(session) } });
}

export default function ForgotPassword() {
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} labels={LABELS} />
      <PageHeader title="Password Recovery">
        Enter the email address of your account. We send you a message with a reset code.
      </PageHeader>
      <PortalForm id={FORM} validator={validator} method="post">
        <TextField name="email" label={LABELS.email} type="email" autoComplete="username" maxLength={200} required />
        <ButtonRow>
          <SubmitButton>Continue</SubmitButton>
          <LinkButton to={paths.root}>Back</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Password Recovery");

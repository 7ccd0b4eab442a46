import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import {
  NEW_PASSWORD_LABELS,
  PasswordPair,
  QUESTION_LABELS,
  SecretsAgain,
  SecurityQuestionFields,
} from "~/components/accounts/secret-fields";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { changePassword, weaknessByPermit } from "~/domain/accounts/recovery/change-permit.service.server";
import { changePasswordValidator } from "~/domain/accounts/recovery/validators";
import { clientOf } from "~/http/client.server";
import { readForm } from "~/http/forms.server";
import { findPermit } from "~/http/password-permit.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused } from "~/http/responses.server";
import { withWeakPassword } from "~/http/weak-password.server";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";
import { changedByCode, changedOwn, refuseEntry } from "./page.server";

const FORM = "change-password";

/** The fields in the order of the page. */
const LABELS = { ...NEW_PASSWORD_LABELS, ...QUESTION_LABELS };

export async function loader({ request }: LoaderFunctionArgs) {
  const permit = await findPermit(request);
  if (!permit) return refuseEntry(request);
  const { securityQuestions, passwordMinLength } = getConfig().accounts;
  return json({
    username: permit.username,
    securityQuestions: permit.asksQuestion ? securityQuestions : [],
    passwordMinLength,
    backTo: permit.isOwn ? paths.passwordExpiry(targetOf(request)) : paths.root,
  });
}

export async function action({ request }: ActionFunctionArgs) {
  const permit = await findPermit(request);
  const sent = await readForm(request);
  if (!permit) return refuseEntry(request);
  const validator = changePasswordValidator(getConfig().accounts.passwordMinLength, permit.asksQuestion);
  const form = await validator.validate(sent);
  const judge = (password: string) => weaknessByPermit(permit.permit, password);
  if (form.error) {
    const fieldErrors = await withWeakPassword(form.error.fieldErrors, sent.get("password"), judge);
    return invalid({ ...form.error, fieldErrors }, form.submittedData);
  }
  try {
    const changed = await changePassword(permit.permit, form.data, clientOf(request));
    if (!changed) return await refuseEntry(request);
    return permit.isOwn ? await changedOwn(request, changed, targetOf(request)) : await changedByCode(request);
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}

export default function ChangePassword() {
  const { username, securityQuestions, passwordMinLength, backTo } = useLoaderData<typeof loader>();
  const asksQuestion = securityQuestions.length > 0;
  const validator = useMemo(
    () => changePasswordValidator(passwordMinLength, asksQuestion),
    [passwordMinLength, asksQuestion],
  );
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
      <PageHeader title="Change password">
        {`Choose a new password for ${username}. It may not be a common one, nor your name, company or email address. All your other sessions end when it is changed.`}
      </PageHeader>
      <PortalForm id={FORM} validator={validator} method="post">
        <SecretsAgain secrets={asksQuestion ? undefined : "Passwords"} />
        <PasswordPair minLength={passwordMinLength} noPaste />
        {asksQuestion && (
          <SecurityQuestionFields
            questions={securityQuestions}
            answerHint="You are asked for it when you have forgotten your password."
            required
          />
        )}
        <ButtonRow>
          <SubmitButton>Change password</SubmitButton>
          <LinkButton to={backTo}>Back</LinkButton>
        </ButtonRow>
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Change password");

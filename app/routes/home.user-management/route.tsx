import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { DetailsFields } from "~/components/accounts/details-fields";
import { PendingEmailNote } from "~/components/accounts/pending-email";
import { SecurityFields } from "~/components/accounts/security-fields";
import {
  USER_DETAILS_FORM as FORM,
  USER_DETAILS_LABELS,
  USER_DETAILS_ORDER,
  UserDetailsFields,
} from "~/components/accounts/user-details-fields";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { HiddenField } from "~/components/forms/portal-field";
import { Remount, useShownVersion } from "~/components/forms/remount";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { restoreLocked } from "~/domain/accounts/details-form.server";
import { followCountry } from "~/domain/accounts/invoiced-country";
import { loadUserDetails, userDetailsRules } from "~/domain/accounts/user-details.service.server";
import { userDetailsValidator } from "~/domain/accounts/validators";
import { listCountryOptions, listVatCountries } from "~/domain/reference/countries.server";
import { readForm } from "~/http/forms.server";
import { requireAccountHolder } from "~/http/guard.server";
import { typedAgain } from "~/http/responses.server";
import { accountPaths } from "~/lib/account-paths";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";
import { saveSent } from "./page.server";
import { decidePendingEmail } from "./pending-email.server";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireAccountHolder(request);
  const [details, countries, vatCountries] = await Promise.all([
    loadUserDetails(user),
    listCountryOptions(),
    listVatCountries(),
  ]);
  const { securityQuestions } = getConfig().accounts;
  const { hasDetailsMissing } = user;
  const isActing = user.impersonator !== null;
  return json({ ...details, countries, vatCountries, securityQuestions, isActing, hasDetailsMissing });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireAccountHolder(request);
  const sent = await readForm(request);
  const decided = await decidePendingEmail(request, user, sent);
  if (decided) return decided;
  const rules = await userDetailsRules(user);
  restoreLocked(sent, rules.locked);
  const isCountryOnly = followCountry(sent);
  if (isCountryOnly) return typedAgain((await userDetailsValidator(rules).validate(sent)).submittedData, FORM);
  return saveSent({ request, context, user }, sent);
}

export default function UserManagement() {
  const { values, rules, pendingEmail, ...page } = useLoaderData<typeof loader>();
  const { countries, vatCountries, securityQuestions, isActing, hasDetailsMissing, isCompanyUnnamed } = page;
  const validator = useMemo(() => userDetailsValidator(rules), [rules]);
  const version = useShownVersion("version", values.version);
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={USER_DETAILS_ORDER} labels={USER_DETAILS_LABELS} />
      <PageHeader
        title="User Details"
        back={{ to: paths.dashboard }}
        actions={
          <>
            <LinkButton to={paths.company}>Your company</LinkButton>
            <LinkButton to={paths.secondFactors()}>Second factors</LinkButton>
            <LinkButton to={paths.sessions}>Sessions and devices</LinkButton>
            {!isActing && <LinkButton to={accountPaths.personalData}>Download your data</LinkButton>}
          </>
        }
      />
      {pendingEmail && <PendingEmailNote pending={pendingEmail} current={values.email} isActing={isActing} />}
      <Remount on={version}>
        <PortalForm id={FORM} validator={validator} defaultValues={values} defaultIntent="save">
          <HiddenField name="version" />
          <HiddenField name="opened" />
          <UserDetailsFields locked={rules.locked} isActing={isActing} isCompanyUnnamed={isCompanyUnnamed} />
          {rules.ownsCompany ? (
            <DetailsFields
              formId={FORM}
              title="Company Details"
              locked={rules.locked}
              isRequired={rules.isRequired}
              countries={countries}
              vatCountries={vatCountries}
            />
          ) : (
            <Card title="Company Details">
              {hasDetailsMissing ? (
                <p>
                  You can save the details above without a company. To use the rest of the portal,{" "}
                  <Link to={paths.dashboard}>enter the details of your company</Link>.
                </p>
              ) : (
                <p>
                  The owners of {values.company} change its numbers and addresses.{" "}
                  <Link to={paths.company}>Your company</Link> shows them.
                </p>
              )}
            </Card>
          )}
          <SecurityFields
            questions={securityQuestions}
            stored={rules.securityQuestion}
            passwordMinLength={rules.passwordMinLength}
            isActing={isActing}
          />
          <ButtonRow>
            <SubmitButton intent="save" busyText="Saving…">
              Save
            </SubmitButton>
            <LinkButton to={paths.dashboard}>Cancel</LinkButton>
          </ButtonRow>
          <UnsavedChanges formId={FORM} ignore={LEFT_FREELY} />
        </PortalForm>
      </Remount>
    </div>
  );
}

/** Cancel opens these pages without a question (USR-03). */
const LEFT_FREELY = [paths.dashboard];

export const meta = pageTitle("User Details");

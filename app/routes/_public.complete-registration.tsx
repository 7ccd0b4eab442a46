import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { DETAILS_LABELS, DETAILS_ORDER, DetailsFields } from "~/components/accounts/details-fields";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { VAT_UNCHECKED } from "~/domain/accounts/company-details.server";
import { formValuesOf, restoreLocked } from "~/domain/accounts/details-form.server";
import { completeRegistration, completionRules } from "~/domain/accounts/details.service.server";
import { followCountry } from "~/domain/accounts/invoiced-country";
import { getProfile } from "~/domain/accounts/profile.service.server";
import { detailsValidator } from "~/domain/accounts/validators";
import { findCompanyLeft } from "~/domain/companies/own-companies.service.server";
import { listCountryOptions, listVatCountries } from "~/domain/reference/countries.server";
import { dutyOf, landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { asFormError } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireSession } from "~/http/guard.server";
import { targetOf } from "~/http/redirects";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";

const FORM = "complete-registration";

/** Returns the logged-in user whose details are missing. Redirects everybody else, and users with another duty first. */
async function requireMissingDetails(request: Request) {
  const user = await requireSession(request);
  if (dutyOf(user) !== "missingDetails") throw redirect(landingOf(user, targetOf(request)));
  return user;
}

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireMissingDetails(request);
  const [profile, rules, countries, vatCountries, companyLeft] = await Promise.all([
    getProfile(user.id),
    completionRules(user),
    listCountryOptions(),
    listVatCountries(),
    findCompanyLeft(user),
  ]);
  const values = formValuesOf(rules.namesCompany ? { ...profile, company: "" } : profile);
  return json({ values, rules, countries, vatCountries, companyLeft });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const user = await requireMissingDetails(request);
  const sent = await readForm(request);
  const rules = await completionRules(user);
  restoreLocked(sent, rules.locked);
  const isCountryOnly = followCountry(sent);
  const form = await detailsValidator(rules).validate(sent);
  if (isCountryOnly) return typedAgain(form.submittedData, FORM);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const { isVatUnchecked } = await completeRegistration(user, form.data);
    const target = targetOf(request);
    if (isVatUnchecked) return await redirectWithToast(request, target, { kind: "warn", text: VAT_UNCHECKED });
    return redirect(target, 303);
  } catch (error) {
    return refused(asFormError(error, { request, context, code: "IMP0801E" }), form.submittedData, FORM);
  }
}

export default function CompleteRegistration() {
  const { values, rules, countries, vatCountries, companyLeft } = useLoaderData<typeof loader>();
  const validator = useMemo(() => detailsValidator(rules), [rules]);
  return (
    <div className="narrow stack-l">
      <ErrorSummary
        formId={FORM}
        order={["company", ...DETAILS_ORDER]}
        labels={{ company: "Company", ...DETAILS_LABELS }}
      />
      <PageHeader title="Company Registration">
        {companyLeft === null
          ? "Please correct or confirm the details below in order to access the service."
          : "Please enter the details of a company of your own below in order to access the service."}
      </PageHeader>
      <Note title={companyLeft === null ? undefined : `You are no longer a member of ${companyLeft}.`}>
        {companyLeft !== null && (
          <p>Instead of entering a company of your own, you can ask an owner of another company to invite you.</p>
        )}
        <p>
          You need no company to see, download or erase what the portal holds about you:{" "}
          <Link to={accountPaths.personalData}>Your data</Link>
          {companyLeft !== null && (
            <>
              , to change <Link to={paths.userManagement}>your name and password</Link>, or to end{" "}
              <Link to={paths.sessions}>your sessions</Link>
            </>
          )}
          .
        </p>
      </Note>
      <PortalForm id={FORM} validator={validator} defaultValues={values} defaultIntent="continue">
        <DetailsFields
          formId={FORM}
          title="Company"
          locked={rules.locked}
          namesCompany={rules.namesCompany}
          countries={countries}
          vatCountries={vatCountries}
        />
        <ButtonRow>
          <SubmitButton>Continue</SubmitButton>
        </ButtonRow>
        <UnsavedChanges formId={FORM} />
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Company Registration");

import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DETAILS_LABELS, DETAILS_ORDER, DetailsFields } from "~/components/details-fields";
import { ButtonRow, SubmitButton } from "~/components/buttons";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { UnsavedChanges } from "~/components/unsaved-changes";
import { detailsValidator as validator } from "~/domain/accounts/accounts.lazy-validators";
import { completeRegistration } from "~/domain/accounts/details.service.server";
import { listCountryOptions, listVatCountries } from "~/domain/reference/countries.server";
import { readForm } from "~/http/forms.server";
import { requireSession } from "~/http/guard.server";
import { countTry } from "~/http/rate-limit.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "complete-registration";

/** Only for a logged-in user whose details are missing. */
async function requireMissingDetails(request: Request) {
  const user = await requireSession(request);
  if (!user.hasDetailsMissing) throw redirect(paths.dashboard);
  return user;
}

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireMissingDetails(request);
  const [countries, vatCountries] = await Promise.all([listCountryOptions(), listVatCountries()]);
  return json({ company: user.company, countries, vatCountries });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireMissingDetails(request);
  const form = await validator.validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await countTry("vat-account", user.id);
    await completeRegistration(user, form.data);
    return redirect(paths.dashboard, 303);
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}

export default function CompleteRegistration() {
  const { company, countries, vatCountries } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={DETAILS_ORDER} labels={DETAILS_LABELS} />
      <PageHeader title="Company Registration">
        Please correct or confirm the details below in order to access the service.
      </PageHeader>
      <PortalForm
        id={FORM}
        validator={validator}
        method="post"
        defaultValues={{ useCompanyAddress: true, invoicingAddress: { company } }}
      >
        <DetailsFields formId={FORM} countries={countries} vatCountries={vatCountries} />
        <ButtonRow>
          <SubmitButton>Continue</SubmitButton>
        </ButtonRow>
        <UnsavedChanges formId={FORM} />
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Company Registration");

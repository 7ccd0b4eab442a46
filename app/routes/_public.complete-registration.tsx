import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DETAILS_ORDER, DetailsFields } from "~/components/details-fields";
import { ButtonRow, SubmitButton } from "~/components/buttons";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { UnsavedChanges } from "~/components/unsaved-changes";
import { detailsValidator as validator } from "~/domain/accounts/accounts.lazy-validators";
import { completeRegistration } from "~/domain/accounts/details.service.server";
import { listCountryOptions } from "~/domain/reference/countries.server";
import { readForm } from "~/http/forms.server";
import { requireSession } from "~/http/guard.server";
import { countTry } from "~/http/rate-limit.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";

/** Only for a logged-in user whose details are missing. */
async function requireMissingDetails(request: Request) {
  const user = await requireSession(request);
  if (!user.hasDetailsMissing) throw redirect(paths.dashboard);
  return user;
}

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireMissingDetails(request);
  return json({ company: user.company, countries: await listCountryOptions() });
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
  const { company, countries } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId="complete-registration" order={DETAILS_ORDER} />
      <PageHeader title="Company Registration">
        Please correct or confirm the details below in order to access the service.
      </PageHeader>
      <PortalForm
        id="complete-registration"
        validator={validator}
        method="post"
        defaultValues={{ useCompanyAddress: true, invoicingAddress: { company } }}
      >
        <DetailsFields countries={countries} />
        <ButtonRow>
          <SubmitButton>Continue</SubmitButton>
        </ButtonRow>
        <UnsavedChanges formId="complete-registration" />
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Company Registration");

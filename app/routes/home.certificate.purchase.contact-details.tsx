import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/buttons";
import { Card } from "~/components/card";
import { ErrorSummary } from "~/components/error-summary";
import { PortalForm } from "~/components/form";
import { Note } from "~/components/note";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { ADDRESS_LABELS } from "~/components/purchase/labels";
import { ContactCriteria } from "~/components/purchase/contact-criteria";
import { PersonFields } from "~/components/purchase/person-fields";
import { usePrefillProblems } from "~/components/purchase/prefill-problems";
import { TechnicalContact } from "~/components/purchase/technical-contact";
import { Time } from "~/components/time";
import { typedValues } from "~/domain/certificates/drafts.schema";
import { CONTACT_FIELDS } from "~/domain/certificates/purchase.fields";
import { contactRules, contactStep, saveContact } from "~/domain/certificates/purchase-contact.service.server";
import { contactValidator } from "~/domain/certificates/purchase.lazy-validators";
import { listCountryOptions } from "~/domain/reference/countries.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { requireDraft } from "~/http/purchase-draft.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "contact-details";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  const draft = await requireDraft(request, user, "contact-details");
  return json({ ...(await contactStep(user, draft)), countries: await listCountryOptions() });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "Applicant");
  const draft = await requireDraft(request, user, "contact-details");
  const form = await contactValidator(contactRules(user)).validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await saveContact(user.id, draft.id, typedValues(form.submittedData, CONTACT_FIELDS), form.data);
    return redirect(paths.certificatePurchase("order", draft.id), 303);
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}

export default function ContactDetails() {
  const { technical, values, rules, problems, resumable, countries } = useLoaderData<typeof loader>();
  const validator = useMemo(() => contactValidator(rules), [rules]);
  const prefillProblems = usePrefillProblems(FORM, problems, ADDRESS_LABELS);
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={CONTACT_FIELDS} labels={ADDRESS_LABELS} errors={prefillProblems} />
      <PageHeader title="Purchase Certificate">Please confirm who is responsible for this order.</PageHeader>
      {resumable && (
        <Note title="You have an order that is not complete.">
          <p>
            Last changed on <Time value={resumable.updatedAt} withTime />.{" "}
            <Link to={paths.certificatePurchase("contact-details", resumable.id)} reloadDocument>
              Resume this order
            </Link>
          </p>
        </Note>
      )}
      <TechnicalContact contact={technical} />
      <Card title="Authentication Contact Details" className="stack">
        <ContactCriteria />
        <PortalForm id={FORM} validator={validator} defaultValues={values}>
          <PersonFields countries={countries} withPosition />
          <ButtonRow>
            <SubmitButton>Confirm</SubmitButton>
            <LinkButton to={paths.certificates} variant="quiet">
              Cancel
            </LinkButton>
          </ButtonRow>
        </PortalForm>
      </Card>
    </div>
  );
}

export const meta = pageTitle("Contact details - Purchase Certificate - step 1 of 4");

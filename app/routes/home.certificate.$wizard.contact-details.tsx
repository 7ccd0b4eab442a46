import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { ContactCriteria, FailedCriteria, useFailedCriteria } from "~/components/purchase/contact-criteria";
import { PersonFields } from "~/components/purchase/person-fields";
import { usePrefillProblems } from "~/components/purchase/prefill-problems";
import { BY_STAFF, ResumableNote, ResumedNote } from "~/components/purchase/resumable-note";
import { TechnicalContact } from "~/components/purchase/technical-contact";
import { stepTitle, WIZARD_HEADERS } from "~/components/purchase/wizard-texts";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { contactRules, contactStep, saveContact } from "~/domain/certificates/purchase/contact.service.server";
import { ADDRESS_LABELS, CONTACT_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { contactValidator } from "~/domain/certificates/purchase/validators";
import { typedValues } from "~/domain/drafts/typed-values";
import { listCountryOptions } from "~/domain/reference/countries.server";
import { isResumed } from "~/http/draft-id.server";
import { readForm } from "~/http/forms.server";
import { invalid, refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";
import { requireOrder, requireStep } from "./home.certificate.$wizard/wizard.server";

const FORM = STEP_FORMS.contact;

export async function loader(args: LoaderFunctionArgs) {
  const step = await requireStep(args);
  const order = await requireOrder(step, "contact-details");
  return json({
    wizard: step.wizard,
    handsOver: step.handsOver,
    ...(await contactStep(step.user, order)),
    isResumed: isResumed(step.request),
    countries: await listCountryOptions(),
  });
}

/** Stores the authentication contact and redirects to the order step. */
export async function action(args: ActionFunctionArgs) {
  const step = await requireStep(args);
  const { draft } = await requireOrder(step, "contact-details");
  const { request, user, wizard } = step;
  const form = await contactValidator(await contactRules(user, draft)).validate(await readForm(request));
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    await saveContact(user, draft, typedValues(form.submittedData, CONTACT_FIELDS), form.data);
    return redirect(paths.certificateWizard(wizard, "order", draft.id), 303);
  } catch (error) {
    return refused(error, form.submittedData, form.formId);
  }
}

/** Step 1: the contacts who place and who authorise the order (PUR-02). */
export default function ContactDetails() {
  const {
    wizard,
    handsOver,
    technical,
    values,
    lastOrder,
    rules,
    problems,
    renewal,
    resumable,
    order,
    isResumed: wasResumed,
    isByStaff,
    countries,
  } = useLoaderData<typeof loader>();
  const validator = useMemo(() => contactValidator(rules), [rules]);
  const { failures, followEmail } = useFailedCriteria(FORM, rules);
  const prefillProblems = usePrefillProblems(FORM, problems, ADDRESS_LABELS);
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={CONTACT_FIELDS} labels={ADDRESS_LABELS} errors={prefillProblems} />
      <PageHeader title={WIZARD_HEADERS[wizard]}>
        {renewal && (
          <p>
            Renewal of certificate{" "}
            <Link to={paths.certificateDetails(renewal.certificateId)}>{renewal.certificateId}</Link>,{" "}
            {renewal.commonName}.
          </p>
        )}
        <p>
          {handsOver
            ? "You prepare this renewal. Please say who may authorise the order."
            : "Please confirm who is responsible for this order."}
        </p>
      </PageHeader>
      {renewal?.shortcut && (
        <Note>
          A standing authorisation of your company covers this certificate.{" "}
          <Link to={renewal.shortcut}>Renew it under that</Link>: it takes a CSR and no check by our staff.
        </Note>
      )}
      {isByStaff && (
        <Note tone="warn" title="Staff have prepared this order.">
          {BY_STAFF}
        </Note>
      )}
      {wasResumed && <ResumedNote {...order} />}
      <ResumableNote wizard={wizard} orders={resumable} />
      <TechnicalContact contact={technical} handsOver={handsOver} />
      <Card title="Authentication Contact Details" className="stack">
        <ContactCriteria failures={failures} />
        {lastOrder && (
          <p>This is the contact of your company&apos;s last order, {lastOrder}. Change what is different this time.</p>
        )}
        <PortalForm id={FORM} validator={validator} defaultValues={values}>
          <PersonFields
            countries={countries}
            withPosition
            emailFailures={failures.length > 0 && <FailedCriteria failures={failures} />}
            onEmailChange={followEmail}
          />
          <ButtonRow>
            <SubmitButton>Confirm</SubmitButton>
            <LinkButton to={paths.certificates} variant="quiet">
              Cancel
            </LinkButton>
          </ButtonRow>
        </PortalForm>
        <UnsavedChanges formId={FORM} />
      </Card>
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  stepTitle(data?.wizard ?? "purchase", "contact-details", data?.handsOver),
);

import { Link, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { ButtonRow, LinkButton, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { ErrorSummary } from "../forms/error-summary";
import { PortalForm } from "../forms/form";
import { PageHeader } from "../ui/page-header";
import { UnsavedChanges } from "../forms/unsaved-changes";
import { CONTACT_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { contactValidator } from "~/domain/certificates/purchase/validators";
import { type loadContactStep } from "~/http/contact-step.server";
import { type CertificateWizard, paths } from "~/lib/paths";
import { ContactCriteria, FailedCriteria, useFailedCriteria } from "./contact-criteria";
import { ADDRESS_LABELS } from "./labels";
import { PersonFields } from "./person-fields";
import { usePrefillProblems } from "./prefill-problems";
import { ResumableNote } from "./resumable-note";
import { TechnicalContact } from "./technical-contact";
import { WIZARD_HEADERS } from "./wizard-texts";

const FORM = STEP_FORMS.contact;

/** Step 1: who orders, and who authorises it (B §2, Contact details). */
export function ContactPage({ wizard }: { wizard: CertificateWizard }) {
  const { technical, values, rules, problems, renewal, resumable, countries } = useLoaderData<typeof loadContactStep>();
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
        <p>Please confirm who is responsible for this order.</p>
      </PageHeader>
      {resumable && <ResumableNote wizard={wizard} draft={resumable} />}
      <TechnicalContact contact={technical} />
      <Card title="Authentication Contact Details" className="stack">
        <ContactCriteria failures={failures} />
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

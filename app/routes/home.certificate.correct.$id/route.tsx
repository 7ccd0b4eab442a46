import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { BrokenRulesNote, MarkNotes } from "~/components/certificates/broken-rules";
import { ChangesTable } from "~/components/certificates/changes-table";
import { requestFacts } from "~/components/certificates/subject-facts";
import { CheckboxField } from "~/components/forms/checkbox-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FieldGroup } from "~/components/forms/field-group";
import { FileField } from "~/components/forms/file-field";
import { PortalForm } from "~/components/forms/form";
import { TextareaField } from "~/components/forms/textarea-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DescriptionList } from "~/components/ui/description-list";
import { PageHeader } from "~/components/ui/page-header";
import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";
import { certificateCorrectionValidator as validator } from "~/domain/certificates/succession/correction-validator";
import { type Correction } from "~/domain/orders/corrections/correction";
import { type BrokenRule } from "~/lib/broken-rule";
import { paths } from "~/lib/paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

const LABELS = { csr: "CSR of the new key", csrFile: "or choose a CSR file", usage: "Certificate usage" } as const;

interface Answer {
  asked?: Record<string, string>;
  details?: ShownCsr;
  changes?: Correction[];
  rules?: BrokenRule[];
}

export default function CorrectCertificate() {
  const { id, title, paragraphs, domains, facts, usage, usages, prepareUrl, question } = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  return (
    <ConfirmStep
      asked={answer?.asked}
      title={title}
      question={question}
      confirmLabel="Order the correction"
      cancelLabel="Back"
      variant="primary"
      details={answer?.details && answer.changes && <Check details={answer.details} changes={answer.changes} />}
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
        <PageHeader title={title} back={{ to: paths.certificateDetails(id), label: "Back to the certificate" }}>
          <p>{paragraphs[0]}</p>
          <p>
            {domains} <Link to={paths.domains}>Domains of the company</Link>
          </p>
        </PageHeader>
        <PortalForm id={FORM} validator={validator} encType="multipart/form-data" defaultValues={usage}>
          <p>
            {paragraphs[1]} <a href={prepareUrl}>Prepare key and CSR with these details</a>
          </p>
          <TextareaField
            name="csr"
            label={LABELS.csr}
            rows={8}
            mono
            autoComplete="off"
            hint="Starts with -----BEGIN CERTIFICATE REQUEST-----. Never paste a private key."
          />
          <BrokenRulesNote rules={answer?.rules ?? []} />
          <FileField name="csrFile" label={LABELS.csrFile} accept=".csr,.req,.p10,.pem,.der,.txt" />
          <FieldGroup legend={LABELS.usage} errorName="usage">
            {usages.map(({ name, label }) => (
              <CheckboxField key={name} name={name} label={label} />
            ))}
          </FieldGroup>
          <p>{paragraphs[2]}</p>
          <ButtonRow>
            <SubmitButton>Check the correction</SubmitButton>
            <LinkButton to={paths.certificateDetails(id)}>Cancel</LinkButton>
          </ButtonRow>
        </PortalForm>
        <Card title="As it is now">
          <DescriptionList items={facts} hideEmpty />
        </Card>
      </div>
    </ConfirmStep>
  );
}

/** What the correction changes, and the certificate to be. */
const Check = ({ details, changes }: { details: ShownCsr; changes: readonly Correction[] }) => (
  <div className="stack">
    <ChangesTable changes={changes} />
    <MarkNotes marks={details.marks} />
    <DescriptionList items={requestFacts(details)} hideEmpty />
  </div>
);

export const meta = pageTitle("Correct certificate");

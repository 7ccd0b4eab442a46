import { useActionData, useLoaderData } from "@remix-run/react";
import { BrokenRulesNote } from "~/components/certificates/broken-rules";
import { ReplacedNote } from "~/components/certificates/replaced-note";
import { requestFacts } from "~/components/certificates/subject-facts";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FileField } from "~/components/forms/file-field";
import { PortalForm } from "~/components/forms/form";
import { TextareaField } from "~/components/forms/textarea-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DescriptionList } from "~/components/ui/description-list";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { NOTE_LIMIT } from "~/domain/certificates/queue/note-limit";
import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";
import { reissueValidator as validator } from "~/domain/certificates/validators";
import { type BrokenRule } from "~/lib/broken-rule";
import { paths } from "~/lib/paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

const LABELS = { csr: "CSR of the new key", csrFile: "or choose a CSR file", reason: "Reason" } as const;

export default function ReissueCertificate() {
  const { id, commonName, end, notice } = useLoaderData<typeof loader>();
  const answer = useActionData<{ asked?: Record<string, string>; details?: ShownCsr; rules?: BrokenRule[] }>();
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Reissue certificate"
      question="Are you sure you wish to reissue this certificate, free of charge?"
      confirmLabel="Reissue certificate"
      cancelLabel="Back"
      variant="primary"
      details={answer?.details && <DescriptionList items={requestFacts(answer.details)} hideEmpty />}
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
        <PageHeader
          title="Reissue certificate"
          back={{ to: paths.certificateDetails(id), label: "Back to the certificate" }}
        >
          <p>
            Replaces certificate {id} for {commonName} by one with a new key, free of charge. It ends on the same day,{" "}
            {end}; owner, contacts, usage and issuer stay the same, and so must the details of the CSR.
          </p>
        </PageHeader>
        {notice && <Note>{notice}</Note>}
        <ReplacedNote id={id} />
        <PortalForm id={FORM} validator={validator} encType="multipart/form-data">
          <TextareaField
            name="csr"
            label={LABELS.csr}
            rows={18}
            mono
            autoComplete="off"
            hint="Starts with -----BEGIN CERTIFICATE REQUEST-----. Never paste a private key."
          />
          <BrokenRulesNote rules={answer?.rules ?? []} />
          <FileField name="csrFile" label={LABELS.csrFile} accept=".csr,.req,.p10,.pem,.der,.txt" />
          <TextareaField
            name="reason"
            label={LABELS.reason}
            hint="For the records: why the certificate is replaced free of charge."
            limit={NOTE_LIMIT}
            rows={3}
          />
          <ButtonRow>
            <SubmitButton>Reissue certificate</SubmitButton>
            <LinkButton to={paths.certificateDetails(id)}>Cancel</LinkButton>
          </ButtonRow>
        </PortalForm>
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("Reissue certificate");

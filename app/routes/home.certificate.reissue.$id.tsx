import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
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
import { PageHeader } from "~/components/ui/page-header";
import { NOTE_LIMIT } from "~/domain/certificates/queue/note-limit";
import { csrFields } from "~/domain/certificates/request/csr-fields.server";
import { type ShownCsr } from "~/domain/certificates/request/csr-import.schema";
import {
  checkReissue,
  getReissuable,
  readReissueCsr,
  reissueCertificate,
} from "~/domain/certificates/succession/reissue.service.server";
import { reissueValidator as validator } from "~/domain/certificates/validators";
import { noSuchCertificate, redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { BODY_LIMIT } from "~/http/limits";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { formatDate } from "~/lib/dates";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";

const FORM = "reissue";
const LABELS = { csr: "CSR of the new key", csrFile: "or choose a CSR file", reason: "Reason" } as const;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "Admin");
  const id = readId(params.id);
  try {
    const { commonName, expiryDate } = (await getReissuable(id, user)).row;
    return json({ id, commonName, end: formatDate(expiryDate) });
  } catch (error) {
    if (!isPortalError(error) || error.status === 404) throw error;
    return redirectWithToast(request, paths.certificateDetails(id), { kind: "warn", text: error.message });
  }
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "Admin");
  const id = readId(params.id);
  const submitted = await readForm(request, { limit: BODY_LIMIT });
  const sent = await csrFields(submitted);
  const { csr, isMissing, shown } = readReissueCsr(sent);
  submitted.set("csr", shown);
  submitted.delete("csrFile");
  const form = await validator.validate(submitted);
  if (form.error || isMissing) {
    const fieldErrors = { ...(isMissing && { [csr.field]: messages.required }), ...form.error?.fieldErrors };
    return invalid({ formId: FORM, fieldErrors }, form.submittedData);
  }
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  const { reason } = form.data;
  try {
    if (submitted.get("confirmed") !== "yes")
      return json({ asked: { csr: shown, reason }, details: await checkReissue(id, csr, user) });
    const { certificateId, waits } = await reissueCertificate(id, { csr, reason }, user);
    if (waits === null)
      return await redirectWithToast(request, paths.certificateDetails(certificateId), {
        kind: "ok",
        text: `Certificate ${id} has been reissued. It stays valid until it is revoked.`,
      });
    const text = `The reissue waits in the queue. ${waits}`;
    return await redirectWithToast(request, paths.certificateQueueOrder(certificateId), { kind: "warn", text });
  } catch (error) {
    if (!isPortalError(error) || error.field) return refused(error, form.submittedData, FORM);
    if (error.status === 404) throw await noSuchCertificate(request);
    return redirectWithToast(request, paths.certificateDetails(id), { kind: "bad", text: error.message });
  }
}

export default function ReissueCertificate() {
  const { id, commonName, end } = useLoaderData<typeof loader>();
  const answer = useActionData<{ asked?: Record<string, string>; details?: ShownCsr }>();
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Reissue Certificate"
      question="Are you sure you wish to reissue this certificate, free of charge?"
      confirmLabel="Reissue Certificate"
      cancelLabel="Back"
      variant="primary"
      details={answer?.details && <DescriptionList items={requestFacts(answer.details)} hideEmpty />}
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
        <PageHeader
          title="Reissue Certificate"
          back={{ to: paths.certificateDetails(id), label: "Back to the certificate" }}
        >
          <p>
            Replaces certificate {id} for {commonName} by one with a new key, free of charge. It ends on the same day,{" "}
            {end}; owner, contacts, usage and issuer stay the same, and so must the details of the CSR.
          </p>
        </PageHeader>
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
          <FileField name="csrFile" label={LABELS.csrFile} accept=".csr,.req,.p10,.pem,.der,.txt" />
          <TextareaField
            name="reason"
            label={LABELS.reason}
            hint="For the records: why the certificate is replaced free of charge."
            maxLength={NOTE_LIMIT}
            rows={3}
          />
          <ButtonRow>
            <SubmitButton>Reissue Certificate</SubmitButton>
            <LinkButton to={paths.certificateDetails(id)}>Cancel</LinkButton>
          </ButtonRow>
        </PortalForm>
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("Reissue Certificate");

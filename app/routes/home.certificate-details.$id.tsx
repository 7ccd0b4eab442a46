import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CANCELLATION_FORM, CANCELLATION_LABELS, CancellationCard } from "~/components/certificates/cancellation-card";
import {
  AlternativeSubjectCard,
  CertificateCard,
  IssuerCard,
  PaymentCard,
  PublicKeyCard,
  StatusCard,
  SubjectCard,
  UsageCard,
} from "~/components/certificates/details-cards";
import { LineageCard } from "~/components/certificates/lineage-card";
import { ReplacedNote } from "~/components/certificates/replaced-note";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DownloadLink } from "~/components/ui/download-link";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { type SessionUser } from "~/domain/accounts/session-user";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { findCertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { cancelOrder } from "~/domain/certificates/queue/decisions.service.server";
import { startRenewal } from "~/domain/certificates/succession/renewal.service.server";
import { cancellationValidator as validator } from "~/domain/certificates/validators";
import { KIND_LABELS } from "~/domain/orders/invoices/invoice-content";
import { noSuchCertificate, redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, typedAgain } from "~/http/responses.server";
import { PortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const list = certificateList.read(new URL(request.url).searchParams);
  const details = await findCertificateDetails(user, readId(params.id));
  if (!details) throw await noSuchCertificate(request, certificateList.href(list, { selected: null }));
  return json({ details, list });
}

/** Begins a renewal, or cancels the user's own pending order after a question, with an optional reason. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const submitted = await readForm(request);
  const form = await validator.validate(submitted);
  const details = await findCertificateDetails(user, readId(params.id));
  if (!details) throw await noSuchCertificate(request);
  if (intentOf(submitted, ["cancel", "renew"]) === "renew") return renew(request, user, details);
  if (form.error) return invalid(form.error, form.submittedData);
  if (submitted.has("back")) return typedAgain(form.submittedData, CANCELLATION_FORM);
  if (submitted.get("confirmed") !== "yes" && details.may.cancel) return json({ asked: form.data });
  try {
    await cancelOrder(details.id, form.data.decisionReason, user);
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    return redirectWithToast(request, paths.certificateDetails(details.id), { kind: "warn", text: error.message });
  }
  const text = `Order ${details.orderNumber} has been cancelled.`;
  return redirectWithToast(request, paths.certificates, { kind: "ok", text });
}

async function renew(request: Request, user: SessionUser, { id, orderId }: { id: number; orderId: number }) {
  try {
    return redirect(paths.certificateWizard("renew", "contact-details", await startRenewal(user, orderId)), 303);
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    return redirectWithToast(request, paths.certificateDetails(id), { kind: "warn", text: error.message });
  }
}

export default function CertificateDetails() {
  const { details, list } = useLoaderData<typeof loader>();
  const answer = useActionData<{ asked?: Record<string, string> }>();
  const here = certificateList.addTo(paths.certificateDetails(details.id), list);
  const { id, may, issued } = details;
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Cancel Order"
      question={`Are you sure you wish to cancel order ${details.orderNumber}? This process cannot be reversed.`}
      confirmLabel="Cancel Order"
      cancelLabel="Keep Order"
      cancelTo={here}
    >
      <div className="stack-l">
        <ErrorSummary formId={CANCELLATION_FORM} labels={CANCELLATION_LABELS} />
        <PageHeader title={`Certificate ${details.subject.commonName}`}>
          <p>
            {details.orderType} order {details.orderNumber}, certificate {id}
          </p>
        </PageHeader>
        <Waiting waitsFor={details.waitsFor} />
        <Ended status={details.status} ended={details.ended} />
        {details.replaced && <ReplacedNote id={details.replaced.id} />}
        <div className="columns">
          <StatusCard {...details} />
          <SubjectCard {...details} />
          <AlternativeSubjectCard {...details} />
          {issued && <CertificateCard issued={issued} />}
          {issued && <UsageCard issued={issued} />}
          <PublicKeyCard {...details} />
          {issued && <IssuerCard issued={issued} />}
          <LineageCard {...details} />
          <PaymentCard {...details} />
        </div>
        {may.cancel && <CancellationCard />}
        <Form method="post" className="no-print">
          <CsrfField />
          <ButtonRow>
            {may.download && (
              <LinkButton
                to={certificateList.addTo(paths.certificateDownload(id), list, { selected: id })}
                variant="primary"
              >
                Download
              </LinkButton>
            )}
            {may.renew && (
              <SubmitButton variant="secondary" intent="renew">
                Renew
              </SubmitButton>
            )}
            {may.revoke && (
              <LinkButton to={paths.certificateRevoke(id)} variant="secondary">
                Revoke
              </LinkButton>
            )}
            {details.documents.map(({ id: documentId, kind, number }, _, { length }) => (
              <DownloadLink key={documentId} className="btn" href={paths.invoice(documentId)}>
                {["Download", KIND_LABELS[kind], length > 1 && number].filter(Boolean).join(" ")}
              </DownloadLink>
            ))}
            <DownloadLink className="btn" href={paths.certificateCsr(id)}>
              Download CSR
            </DownloadLink>
            {may.reissue && <LinkButton to={paths.certificateReissue(id)}>Reissue</LinkButton>}
            {may.queue && <LinkButton to={paths.certificateQueueOrder(id)}>Checks and Payment</LinkButton>}
            <LinkButton to={certificateList.href(list)} variant="quiet">
              Back
            </LinkButton>
          </ButtonRow>
        </Form>
      </div>
    </ConfirmStep>
  );
}

function Waiting({ waitsFor }: { waitsFor: readonly string[] }) {
  if (waitsFor.length === 0) return null;
  return (
    <Note title="This order is waiting for:">
      <ul>
        {waitsFor.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </Note>
  );
}

/** Says why there is no certificate. */
function Ended({
  status,
  ended,
}: Pick<ReturnType<typeof useLoaderData<typeof loader>>["details"], "status" | "ended">) {
  if (!ended) return null;
  return (
    <Note tone={status === "Rejected" ? "bad" : "info"} title={`This order has been ${status.toLowerCase()}.`}>
      <p>
        {ended.at && <Time value={ended.at} withTime />} {ended.reason}
      </p>
    </Note>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => `Certificate ${data?.details.subject.commonName ?? ""}`);

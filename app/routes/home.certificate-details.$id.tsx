import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/buttons";
import { ConfirmStep } from "~/components/certificates/confirm-step";
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
import { CsrfField } from "~/components/csrf-field";
import { Note } from "~/components/note";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findCertificateDetails } from "~/domain/certificates/details.service.server";
import { readListParams, withListPlace } from "~/domain/certificates/list.params";
import { cancelOrder } from "~/domain/certificates/queue-decisions.service.server";
import { startRenewal } from "~/domain/certificates/renewal.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { PortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const place = readListParams(new URL(request.url).searchParams);
  const details = await findCertificateDetails(user, readId(params.id));
  if (!details) throw redirect(withListPlace(paths.certificates, place, { selected: null }));
  return json({ details, place });
}

/** Begins a renewal, or cancels a pending order of one's own; asks first. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await readForm(request);
  const details = await findCertificateDetails(user, readId(params.id));
  if (!details) throw redirect(paths.certificates);
  if (intentOf(form, ["cancel", "renew"]) === "renew") return renew(request, user, details);
  if (form.get("confirmed") !== "yes" && details.may.cancel) return json({ asked: { intent: "cancel" } });
  try {
    await cancelOrder(details.id, user);
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
  const { details, place } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const here = withListPlace(paths.certificateDetails(details.id), place);
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
        <PageHeader title={`Certificate ${details.subject.commonName}`}>
          <p>
            {details.orderType} order {details.orderNumber}, certificate {id}
          </p>
        </PageHeader>
        <Waiting waitsFor={details.waitsFor} />
        <div className="pairs">
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
        <Form method="post" className="no-print">
          <CsrfField />
          <ButtonRow>
            {may.download && (
              <LinkButton to={withListPlace(paths.certificateDownload(id), place, { selected: id })} variant="primary">
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
            <a className="btn" href={paths.certificateCsr(id)} download>
              Download CSR
            </a>
            {may.cancel && (
              <SubmitButton variant="danger" intent="cancel">
                Cancel Order
              </SubmitButton>
            )}
            <LinkButton to={withListPlace(paths.certificates, place)} variant="quiet">
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

export const meta = pageTitle<typeof loader>(({ data }) => `Certificate ${data?.details.subject.commonName ?? ""}`);

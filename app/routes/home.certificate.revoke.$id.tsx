import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmStep } from "~/components/certificates/confirm-step";
import { REVOKE_FIELDS, REVOKE_FORM, RevocationInfo, RevokeForm } from "~/components/certificates/revoke-form";
import { ErrorSummary } from "~/components/error-summary";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { findRevocationForm } from "~/domain/certificates/revocation-form.server";
import { revocationValidator as validator } from "~/domain/certificates/certificates.lazy-validators";
import { momentOf, REVOKE_QUESTION } from "~/domain/certificates/revocation-reasons";
import { demandRevocable, revokeCertificate } from "~/domain/certificates/revocation.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { type Toast } from "~/http/session.server";
import { formatDateTime } from "~/lib/dates";
import { PortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const ISSUE = "There was an issue while revoking the certificate. ";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  try {
    const certificate = await findRevocationForm(user, readId(params.id));
    return certificate ? json({ certificate }) : redirect(paths.certificates);
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    return redirectWithToast(request, paths.certificates, { kind: "warn", text: error.message });
  }
}

const toastOf = ({ problem, isScheduled, revocationDate }: Awaited<ReturnType<typeof revokeCertificate>>): Toast => {
  if (problem) return { kind: "warn", text: ISSUE + problem };
  const moment = formatDateTime(revocationDate.toISOString());
  if (isScheduled) return { kind: "ok", text: `The certificate will be revoked on ${moment} UTC.` };
  return { kind: "ok", text: "The certificate has been revoked successfully." };
};

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const submitted = await readForm(request);
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  const { revocationReason: reason, revocationDescription: description, revocationDate, revocationTime } = form.data;
  const order = { certificateId: readId(params.id), user, reason, description, date: momentOf(form.data) };
  try {
    if (submitted.get("confirmed") === "yes")
      return await redirectWithToast(request, paths.certificates, toastOf(await revokeCertificate(order)));
    await demandRevocable(order);
  } catch (error) {
    if (error instanceof PortalError && error.status === 404) throw redirect(paths.certificates);
    return refused(withIssue(error), form.submittedData, REVOKE_FORM);
  }
  const asked = {
    revocationReason: String(reason),
    revocationDescription: description,
    revocationDate,
    revocationTime,
  };
  return json({ asked });
}

/** A refusal that is not about a field is introduced in the specification's words. */
const withIssue = (error: unknown) =>
  error instanceof PortalError && !error.field ? new PortalError(ISSUE + error.message, { code: error.code }) : error;

export default function RevokeCertificate() {
  const { certificate } = useLoaderData<typeof loader>();
  const answer = useActionData<{ asked?: Record<string, string> }>();
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Revoke Certificate"
      question={REVOKE_QUESTION}
      confirmLabel="Revoke Certificate"
      cancelTo={paths.certificateRevoke(certificate.id)}
      details={<p>{certificate.commonName}</p>}
    >
      <div className="stack-l">
        <ErrorSummary formId={REVOKE_FORM} order={REVOKE_FIELDS} />
        <PageHeader title="Revoke Certificate">
          <p>
            Revocation is irreversible. Once the certificate is revoked, an automated e-mail confirms it. To replace the
            certificate afterwards a new one has to be purchased.
          </p>
        </PageHeader>
        <div className="split">
          <RevokeForm certificate={certificate} validator={validator} />
          <RevocationInfo certificate={certificate} />
        </div>
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("Revoke Certificate");

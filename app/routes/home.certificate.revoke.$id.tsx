import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  REVOKE_FIELDS,
  REVOKE_FORM,
  REVOKE_LABELS,
  RevocationInfo,
  RevokeForm,
  RevocationQuestion,
} from "~/components/certificates/revoke-form";
import { ErrorSummary } from "~/components/forms/error-summary";
import { pageTitle } from "~/components/shell/page-title";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { findRevocationForm } from "~/domain/certificates/revocation/form.server";
import { instantOf, REVOKE_QUESTION } from "~/domain/certificates/revocation/reasons";
import { scheduledText } from "~/domain/certificates/revocation/revocation.policy";
import {
  findOfOthers,
  requireRevocable,
  revokeCertificate,
} from "~/domain/certificates/revocation/revocation.service.server";
import { revocationValidator as validator } from "~/domain/certificates/validators";
import { type Toast } from "~/domain/shell";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { formatDateTime } from "~/lib/dates";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const ISSUE = "There was an issue while revoking the certificate. ";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  try {
    const certificate = await findRevocationForm(user, readId(params.id));
    return certificate ? json({ certificate }) : noSuchCertificate(request, user, readId(params.id));
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return redirectWithToast(request, paths.certificates, { kind: "warn", text: error.message });
  }
}

const toastOf = ({ problem, isScheduled, revocationDate }: Awaited<ReturnType<typeof revokeCertificate>>): Toast => {
  if (problem) return { kind: "warn", text: ISSUE + problem };
  const timestamp = formatDateTime(revocationDate.toISOString());
  if (isScheduled) return { kind: "ok", text: `The certificate will be revoked on ${timestamp} UTC.` };
  return { kind: "ok", text: "The certificate has been revoked successfully." };
};

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const submitted = await readForm(request);
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  if (submitted.has("back")) return typedAgain(form.submittedData, REVOKE_FORM);
  const ofOthers = await findOfOthers(readId(params.id), user);
  if (ofOthers)
    await requireFormStepUp(request, user, { fields: submitted, formId: REVOKE_FORM }, () =>
      FORM_TASKS.revoke(ofOthers.commonName),
    );
  const { revocationReason: reason, revocationDescription: description, loadedAt: openedAt } = form.data;
  const now = new Date();
  const revocation = { reason, description, date: instantOf(form.data, now), openedAt };
  const order = { ...revocation, certificateId: readId(params.id), user };
  try {
    if (submitted.get("confirmed") === "yes")
      return await redirectWithToast(request, paths.certificates, toastOf(await revokeCertificate(order, now)));
    await requireRevocable(order, now);
  } catch (error) {
    if (isPortalError(error) && error.status === 404) throw await noSuchCertificate(request, user, readId(params.id));
    if (!isPortalError(error) || error.field) return refused(error, form.submittedData, REVOKE_FORM);
    // The state does not allow it, perhaps because another window was faster. The page can no longer be shown.
    const text = `${ISSUE}${error.message} Your request changed nothing.`;
    return redirectWithToast(request, paths.certificates, { kind: "bad", text });
  }
  const asked = {
    revocationReason: String(reason),
    revocationDescription: description,
    revocationDate: form.data.revocationDate,
    revocationTime: form.data.revocationTime,
    loadedAt: openedAt ?? "",
  };
  return json({ asked });
}

export default function RevokeCertificate() {
  const { certificate } = useLoaderData<typeof loader>();
  const answer = useActionData<{ asked?: Record<string, string> }>();
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Revoke Certificate"
      question={REVOKE_QUESTION}
      confirmLabel="Revoke Certificate"
      details={answer?.asked && <RevocationQuestion certificate={certificate} asked={answer.asked} />}
    >
      <div className="stack-l">
        <ErrorSummary formId={REVOKE_FORM} order={REVOKE_FIELDS} labels={REVOKE_LABELS} />
        <PageHeader title="Revoke Certificate">
          <p>
            Revocation is irreversible. Once the certificate is revoked, an automated email confirms it. To replace the
            certificate afterwards a new one has to be purchased.
          </p>
        </PageHeader>
        {certificate.scheduled && (
          <Note tone="warn">
            <p>{scheduledText(certificate.scheduled.date)}</p>
          </Note>
        )}
        <div className="split">
          <RevokeForm certificate={certificate} validator={validator} />
          <RevocationInfo certificate={certificate} />
        </div>
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle("Revoke Certificate");

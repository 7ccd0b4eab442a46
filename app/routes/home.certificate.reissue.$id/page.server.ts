import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { csrFields } from "~/domain/certificates/request/csr-fields.server";
import { readSentCsr } from "~/domain/certificates/request/sent-csr.server";
import {
  checkReissue,
  getReissuable,
  reissueCertificate,
  reissueNotice,
} from "~/domain/certificates/succession/reissue.service.server";
import { reissueValidator as validator } from "~/domain/certificates/validators";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { BODY_LIMIT } from "~/http/limits";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { formatDate } from "~/lib/dates";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "reissue-certificates");
  const id = readId(params.id);
  try {
    const preceding = await getReissuable(id, user);
    const { commonName, expiryDate } = preceding.row;
    return json({ id, commonName, end: formatDate(expiryDate), notice: await reissueNotice(preceding) });
  } catch (error) {
    if (!isPortalError(error) || error.status === 404) throw error;
    return redirectWithToast(request, paths.certificateDetails(id), { kind: "warn", text: error.message });
  }
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "reissue-certificates");
  const id = readId(params.id);
  const submitted = await readForm(request, { limit: BODY_LIMIT });
  const sent = await csrFields(submitted);
  const { csr, isMissing, shown } = readSentCsr(sent);
  submitted.set("csr", shown);
  submitted.delete("csrFile");
  await requireFormStepUp(request, user, { fields: submitted, formId: FORM }, () => FORM_TASKS.reissue(id));
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
    if (error.status === 404) throw await noSuchCertificate(request, user, readId(params.id));
    return redirectWithToast(request, paths.certificateDetails(id), { kind: "bad", text: error.message });
  }
}

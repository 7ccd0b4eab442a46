import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { csrFields } from "~/domain/certificates/request/csr-fields.server";
import { readSentCsr } from "~/domain/certificates/request/sent-csr.server";
import { getCertificateToCorrect } from "~/domain/certificates/succession/correctable.server";
import { certificateCorrectionValidator as validator } from "~/domain/certificates/succession/correction-validator";
import { correctionView } from "~/domain/certificates/succession/correction-view.server";
import {
  checkCorrection,
  getCorrectable,
  orderCorrection,
} from "~/domain/certificates/succession/correction.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { BODY_LIMIT } from "~/http/limits";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { isPortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

/**
 * Returns the answer to an error that is about no field. Throws it when there is no such certificate, or when the user may not order, so that
 * it has a page of its own.
 */
async function answerTo(error: unknown, request: Request, user: SessionUser, id: number) {
  if (!isPortalError(error) || error.status === 403) throw error;
  if (error.status === 404) throw await noSuchCertificate(request, user, id);
  return redirectWithToast(request, paths.certificateDetails(id), { kind: "warn", text: error.message });
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const id = readId(params.id);
  try {
    return json(await correctionView(await getCorrectable(id, user)));
  } catch (error) {
    return answerTo(error, request, user, id);
  }
}

/** Shows what the correction changes, and orders it when that is confirmed. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const id = readId(params.id);
  const submitted = await readForm(request, { limit: BODY_LIMIT });
  try {
    await getCertificateToCorrect(id, user);
  } catch (error) {
    return answerTo(error, request, user, id);
  }
  const { csr, isMissing, shown } = readSentCsr(await csrFields(submitted));
  submitted.set("csr", shown);
  submitted.delete("csrFile");
  const form = await validator.validate(submitted);
  if (form.error || isMissing) {
    const fieldErrors = { ...(isMissing && { [csr.field]: messages.required }), ...form.error?.fieldErrors };
    return invalid({ formId: FORM, fieldErrors }, form.submittedData);
  }
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  const sent = { csr, usage: form.data.usage };
  try {
    if (submitted.get("confirmed") !== "yes") {
      const ticked = Object.fromEntries(sent.usage.map((flag) => [flag, "on"] as const));
      const asked: Record<string, string> = { csr: shown, ...ticked };
      return json({ asked, ...(await checkCorrection(id, sent, user)) });
    }
    const orderId = await orderCorrection(id, sent, user);
    if (orderId === null) throw new Error(`The correction of certificate ${id} was neither ordered nor found.`);
    const text = `The correction is ordered as ${orderNumber(orderId)}, free of charge. Certificate ${id} stays valid until the new one is issued.`;
    return await redirectWithToast(request, paths.order(orderId), { kind: "ok", text });
  } catch (error) {
    if (isPortalError(error) && (error.field || error.status === 429)) return refused(error, form.submittedData, FORM);
    return answerTo(error, request, user, id);
  }
}

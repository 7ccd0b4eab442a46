import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { CANCELLATION_FORM } from "~/components/certificates/cancellation-card";
import { type SessionUser } from "~/domain/accounts/session-user";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { findCertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { cancelOrder } from "~/domain/certificates/queue/decisions.service.server";
import { startRenewal } from "~/domain/certificates/succession/renewal.service.server";
import { cancellationValidator as validator } from "~/domain/certificates/validators";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
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
  const id = readId(params.id);
  const details = await findCertificateDetails(user, id);
  if (!details) throw await noSuchCertificate(request, user, id, certificateList.href(list, { selected: null }));
  return json({ details, list });
}

/** Begins a renewal, or cancels the user's own pending order after a question, with an optional reason. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const submitted = await readForm(request);
  const form = await validator.validate(submitted);
  const id = readId(params.id);
  const details = await findCertificateDetails(user, id);
  if (!details) throw await noSuchCertificate(request, user, id);
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

import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { CANCELLATION_FORM } from "~/components/certificates/cancellation-card";
import { type SessionUser } from "~/domain/accounts/session-user";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { findCertificateDetails } from "~/domain/certificates/catalogue/details.service.server";
import { NOTES_FORM, NOTES_LABELS, NOTES_PLACE } from "~/domain/certificates/catalogue/notes-fields";
import { readTags } from "~/domain/certificates/catalogue/notes.schema";
import { changeCertificateNotes, tagsText } from "~/domain/certificates/catalogue/notes.service.server";
import { cancelOrder } from "~/domain/certificates/queue/decisions.service.server";
import { startRenewal } from "~/domain/certificates/succession/renewal.service.server";
import {
  cancellationValidator as validator,
  certificateNotesValidator as notesValidator,
} from "~/domain/certificates/validators";
import { takenText } from "~/domain/changed-meanwhile";
import { mergeForm, type MergeRules } from "~/domain/merge-form.server";
import { noSuchCertificate } from "~/http/elsewhere.server";
import { redirectWithToast } from "~/http/flash.server";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { collided, invalid, refused, typedAgain } from "~/http/responses.server";
import { PortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const list = certificateList.read(new URL(request.url).searchParams);
  const id = readId(params.id);
  const details = await findCertificateDetails(user, id);
  if (!details) throw await noSuchCertificate(request, user, id, certificateList.href(list, { selected: null }));
  return json({ details, list, isFromOrder: isFromOrder(request) });
}

/** Returns whether the user came from the page of the order, which `certificatePaths.cancelOrder` says. Cancelling leads back there. */
const isFromOrder = (request: Request) => new URL(request.url).searchParams.get("from") === "order";

/** Begins a renewal, or cancels the user's own pending order after a question, with an optional reason. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const submitted = await readForm(request);
  if (intentOf(submitted, ["cancel", "renew", "note"]) === "note")
    return saveNotes(request, { user, id: readId(params.id), submitted });
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
  const to = isFromOrder(request) ? paths.order(details.orderId) : paths.certificates;
  return redirectWithToast(request, to, { kind: "ok", text });
}

const MERGE: MergeRules = {
  labels: NOTES_LABELS,
  version: "seen",
  joined: [],
  same: (name, text) => (name === "tags" ? tagsText(readTags(text)) : text),
};

interface SavedNotes {
  user: SessionUser;
  id: number;
  submitted: FormData;
  /** The labels of the fields that somebody else changed in the meantime. */
  taken?: readonly string[];
}

/** Saves the notes about a certificate. When they were changed in the meantime, the form is merged with them (`mergeForm`). */
async function saveNotes(request: Request, { taken = [], ...save }: SavedNotes): Promise<Response> {
  const { user, id, submitted } = save;
  const details = await findCertificateDetails(user, id);
  if (!details) throw await noSuchCertificate(request, user, id);
  const form = await notesValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    if (await changeCertificateNotes(user, id, form.data)) {
      const { form: stored } = details.notes;
      const merged = mergeForm(submitted, stored ?? {}, MERGE);
      if (Object.keys(merged.collisions).length > 0) return await collided(merged, NOTES_FORM, "Save");
      return await saveNotes(request, { ...save, submitted: merged.form, taken: [...taken, ...merged.taken] });
    }
  } catch (error) {
    return refused(error, form.submittedData, NOTES_FORM);
  }
  const sentences = ["Notes and tags have been saved", takenText(taken)].filter(Boolean);
  const toast = { kind: "ok", text: `${sentences.join(". ")}.`, at: NOTES_PLACE } as const;
  return redirectWithToast(request, paths.certificateDetails(id), toast);
}

async function renew(request: Request, user: SessionUser, { id, orderId }: { id: number; orderId: number }) {
  try {
    return redirect(paths.certificateWizard("renew", "contact-details", await startRenewal(user, orderId)), 303);
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    return redirectWithToast(request, paths.certificateDetails(id), { kind: "warn", text: error.message });
  }
}

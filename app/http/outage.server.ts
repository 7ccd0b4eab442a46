import { type KeptForm } from "~/domain/shell";
import { isPortalError, PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { readProbe } from "~db/repositories/write-probe.server";
import { isUnavailable } from "~db/unavailable.server";
import { cleanFields } from "./form-fields.server";
import { sentFields } from "./forms.server";
import { errorResponse, isTypedSecret, sendLater } from "./responses.server";
import { INCOMPLETE, LEFT_OUT, readFields } from "./stale-form.server";

const NOTHING_STORED = "The portal cannot reach its data at the moment. Nothing was stored.";
const KEPT = `${NOTHING_STORED} What you typed is kept on this page. Please send it again in a few seconds.`;
const KEPT_IN_PART = `${NOTHING_STORED} What you typed is kept on this page. ${LEFT_OUT} Please go back to the form in a few seconds.`;

/** Returns whether pages can be rendered. Reading works even when the disk is full or a lock takes too long. */
async function canRead(): Promise<boolean> {
  try {
    await readProbe(getDb());
    return true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}

type Kept = KeptForm["fields"][number];

const isEmpty = (value: FormDataEntryValue) => (typeof value === "string" ? value === "" : value.size === 0);
const isKept = (entry: [string, FormDataEntryValue]): entry is Kept =>
  typeof entry[1] === "string" && !isTypedSecret(entry[0]);

/** Returns the form's fields for the error page and the text about them. `sent` has the fields as they were sent. */
function keep(request: Request, sent: readonly [string, FormDataEntryValue][]): { kept: KeptForm; text: string } {
  const address = new URL(request.url);
  address.searchParams.delete("_data"); // added by Remix when a script sends the form
  // Exactly one slash at the start: two would name another server.
  const action = address.pathname.replace(/^\/+/, "/") + address.search;
  const fields = sent.filter(isKept);
  const isComplete = !sent.some((entry) => !isKept(entry) && !isEmpty(entry[1]));
  if (isComplete) return { kept: { action, fields, button: "Send again" }, text: KEPT };
  return { kept: { action, fields: [...fields, [INCOMPLETE, "yes"]], button: "Back to the form" }, text: KEPT_IN_PART };
}

/** Returns the fields as sent and as needed to fill the form again, or null for a form that the portal would not accept. */
async function findForm(request: Request) {
  try {
    const sent = await sentFields(request);
    const form = new FormData();
    for (const [name, value] of sent) form.append(name, value);
    const { submittedData, formId } = await readFields(cleanFields(form));
    return { sent, submittedData, formId };
  } catch (error) {
    if (isPortalError(error)) return null;
    throw error;
  }
}

/**
 * Answers a form while the database cannot be used, with status 503. If its page can be rendered, the form comes back with the typed
 * values. Otherwise the error page keeps the fields and can send them again. Neither has passwords, answers to security questions or files.
 *
 * @param refusal The error that is thrown for the error page.
 */
export async function answerOutage(request: Request, refusal: PortalError): Promise<Response> {
  const form = await findForm(request);
  if (form === null) throw errorResponse(refusal);
  if (form.formId !== undefined && (await canRead())) return sendLater(form.submittedData, form.formId, refusal);
  const { kept, text } = keep(request, form.sent);
  const { code, status, retryAfter } = refusal;
  throw errorResponse(new PortalError(text, { code, status, retryAfter }), kept);
}

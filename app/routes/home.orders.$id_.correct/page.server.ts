import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { typedValues } from "~/domain/drafts/typed-values";
import {
  CORRECTION_FORM,
  type CorrectionPart,
  isCorrectionPart,
  PART_FIELDS,
} from "~/domain/orders/corrections/correction-fields";
import { getCorrectionForm, getCorrectionOverview } from "~/domain/orders/corrections/correction-page.service.server";
import {
  correctOrder,
  getCorrectionState,
  previewCorrection,
} from "~/domain/orders/corrections/corrections.service.server";
import { type TypedCorrection } from "~/domain/orders/corrections/typed-correction.server";
import {
  correctedContactValidator,
  correctedOrderValidator,
  correctedTechnicalValidator,
} from "~/domain/orders/corrections/validators";
import { listInvoiceCountries } from "~/domain/orders/invoice.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { isPortalError, notFound } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

/** Refusals that leave nothing to do on the page. The person goes back to the order, which says why. */
const ENDS = ["correction.not-now", "correction.contact"];

/** Returns to the order with the reason when it cannot be corrected now. */
async function orBackToOrder(request: Request, id: number, error: unknown): Promise<Response> {
  if (!isPortalError(error) || !ENDS.includes(error.code)) throw error;
  return redirectWithToast(request, paths.order(id), { kind: "warn", text: error.message });
}

const partOf = (request: Request): CorrectionPart | null => {
  const part = new URL(request.url).searchParams.get("part");
  return isCorrectionPart(part) ? part : null;
};

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const id = readId(params.id);
  const part = partOf(request);
  try {
    if (part === null) return json({ id, form: null, overview: await getCorrectionOverview(user, id) });
    return json({ id, form: await getCorrectionForm(user, id, part), overview: null });
  } catch (error) {
    throw await orBackToOrder(request, id, error);
  }
}

/** Returns the typed part of an order as its schema reads it, or the error of its form. */
async function readTyped(user: SessionUser, id: number, part: CorrectionPart, submitted: FormData) {
  if (part === "technical") {
    const form = await correctedTechnicalValidator.validate(submitted);
    return { ...form, typed: form.data && ({ technical: form.data } satisfies TypedCorrection) };
  }
  if (part === "contact") {
    const form = await correctedContactValidator.validate(submitted);
    return { ...form, typed: form.data && ({ contact: form.data } satisfies TypedCorrection) };
  }
  const { certificate } = await getCorrectionState(user, id);
  const form = await correctedOrderValidator(await listInvoiceCountries(), certificate !== null).validate(submitted);
  if (!form.data) return { ...form, typed: undefined };
  const { purchaseOrderNumber, ...invoice } = form.data;
  return { ...form, typed: { purchaseOrderNumber, invoice } satisfies TypedCorrection };
}

/** Asks before an order is corrected, and corrects it after a Yes. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "place-orders");
  const id = readId(params.id);
  const part = partOf(request);
  if (part === null) throw notFound();
  const submitted = await readForm(request);
  const form = await readTyped(user, id, part, submitted);
  if (submitted.has("back")) return typedAgain(form.submittedData, CORRECTION_FORM);
  if (form.error) return invalid(form.error, form.submittedData);
  const sent = submitted.get("seen");
  const seen = typeof sent === "string" ? sent : null;
  const typed: TypedCorrection = form.typed ?? {};
  try {
    if (submitted.get("confirmed") !== "yes") {
      const asked = typedValues(Object.fromEntries(submitted), [...PART_FIELDS[part], "seen"]);
      const preview = await previewCorrection(user, id, { typed, seen, typedVat: asked["vat"] });
      return json({ asked, preview });
    }
    const made = await correctOrder(user, id, { typed, seen });
    const text = [`Correction ${made?.number ?? ""} is recorded.`, ...(made?.effects ?? [])].join(" ");
    return await redirectWithToast(request, paths.order(id), { kind: "ok", text });
  } catch (error) {
    if (isPortalError(error) && ENDS.includes(error.code)) return orBackToOrder(request, id, error);
    return refused(error, form.submittedData, CORRECTION_FORM);
  }
}

import { json, redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { typedValues, type Typed } from "~/domain/drafts/typed-values";
import { loadDraft, startDraft, type Draft } from "~/domain/drafts/drafts.service.server";
import { type PurchaseStep } from "~/domain/certificates/purchase/purchase.policy";
import { completeCodePurchase } from "~/domain/codes/purchase/completion.service.server";
import { codeWizard, hasStateFor, type CodePurchase } from "~/domain/codes/purchase/draft.server";
import { codeOrderValidator } from "~/domain/codes/purchase/validators";
import { CODE_ORDER_FIELDS, CODE_STEP_FORMS, DEFAULT_QUANTITY, readQuantity } from "~/domain/codes/purchase/fields";
import {
  confirmContact,
  contactStep,
  invoiceStep,
  orderStep,
  saveOrder,
} from "~/domain/codes/purchase/steps.service.server";
import { log } from "~/lib/log.server";
import { paths } from "~/lib/paths";
import { intentOf } from "./form-actions.server";
import { readForm } from "./forms.server";
import { submitInvoice } from "./invoice-form.server";
import { draftIdOf, toStart } from "./purchase-draft.server";
import { invalid } from "./responses.server";

interface StepRequest {
  request: Request;
  /** Remix's load context, for the log. */
  context?: unknown;
  user: SessionUser;
}

/** The user's own draft with everything that this step builds on. Else a redirect is thrown: to the start, or to the order that it became. */
async function requireDraft({ request, user }: StepRequest, step: PurchaseStep): Promise<Draft<CodePurchase>> {
  const draft = await loadDraft(codeWizard, user.id, draftIdOf(request));
  if (!draft)
    throw await toStart(request, step, async (isNew) =>
      paths.codePurchase("contact-details", isNew ? await startDraft(codeWizard, user.id) : undefined),
    );
  if (draft.orderId !== null) throw redirect(paths.codePurchase("order-complete", draft.id));
  if (hasStateFor(step, draft.data)) return draft;
  if (step === "invoice-address") log().warn({ userId: user.id }, "incomplete data at the invoice step"); // B §8
  throw redirect(paths.codePurchase("contact-details", draft.id));
}

export async function loadContact(step: StepRequest) {
  return json(await contactStep(step.user, await requireDraft(step, "contact-details")));
}

export async function submitContact(step: StepRequest): Promise<Response> {
  const draft = await requireDraft(step, "contact-details");
  await readForm(step.request);
  await confirmContact(step.user.id, draft);
  return redirect(paths.codePurchase("order", draft.id), 303);
}

export async function loadOrder(step: StepRequest) {
  return json(orderStep(await requireDraft(step, "order")));
}

/** What is no quantity becomes the default (B §5). */
const withQuantity = (typed: Typed): Typed =>
  readQuantity(typed.quantity ?? "") === null ? { ...typed, quantity: String(DEFAULT_QUANTITY) } : typed;

/** Enter means Next. `update` computes the price where no script does it. */
export async function submitOrder(step: StepRequest): Promise<Response> {
  const draft = await requireDraft(step, "order");
  const form = await readForm(step.request);
  const intent = intentOf(form, ["next", "update", "back"]);
  const checked = await codeOrderValidator.validate(form);
  await saveOrder(step.user.id, draft, withQuantity(typedValues(checked.submittedData, CODE_ORDER_FIELDS)));
  if (intent === "back") return redirect(paths.codePurchase("contact-details", draft.id), 303);
  const { quantity, ...others } = checked.error?.fieldErrors ?? {};
  const problems = { ...(quantity && { quantity }), ...(intent === "next" && others) };
  if (Object.keys(problems).length === 0)
    return redirect(paths.codePurchase(intent === "next" ? "invoice-address" : "order", draft.id), 303);
  const again = quantity ? { ...checked.submittedData, quantity: String(DEFAULT_QUANTITY) } : checked.submittedData;
  return invalid({ fieldErrors: problems, formId: CODE_STEP_FORMS.order }, again);
}

export async function loadInvoice(step: StepRequest) {
  const draft = await requireDraft(step, "invoice-address");
  return json({ draftId: draft.id, ...(await invoiceStep(step.user, draft)) });
}

export async function submitInvoiceAddress(step: StepRequest): Promise<Response> {
  const { request, context, user } = step;
  const draft = await requireDraft(step, "invoice-address");
  return submitInvoice({
    request,
    context,
    userId: user.id,
    draft,
    stepPath: (place) => paths.codePurchase(place, draft.id),
    complete: (invoice) => completeCodePurchase(user, draft, invoice),
  });
}

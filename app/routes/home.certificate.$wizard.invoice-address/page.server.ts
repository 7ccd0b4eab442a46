import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { completePurchase } from "~/domain/certificates/purchase/completion.service.server";
import { technicalContact } from "~/domain/certificates/purchase/contact.service.server";
import { STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { invoiceStep } from "~/domain/certificates/purchase/invoice.service.server";
import { type OpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { lacksTerms } from "~/domain/certificates/purchase/purchase.policy";
import { preparationOf } from "~/domain/certificates/succession/handed-over.server";
import { handOverRenewal } from "~/domain/certificates/succession/prepared-renewals.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { asFormError, intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { refused } from "~/http/responses.server";
import { paths } from "~/lib/paths";
import { requireOrder, requireStep, type StepRequest } from "../home.certificate.$wizard/wizard.server";
import { submitInvoice, usesLastAddress } from "./invoice-form.server";

export async function loader(args: LoaderFunctionArgs) {
  const step = await requireStep(args);
  const order = await requireOrder(step, "invoice-address");
  const mayComplete = !step.handsOver;
  const preparation = await preparationOf(step.user, order.draft);
  return json({
    wizard: step.wizard,
    draftId: order.draft.id,
    mayComplete,
    asksForTerms: mayComplete && lacksTerms(step.user.id, order.draft),
    preparation,
    technical: mayComplete && preparation ? await technicalText(step.user) : null,
    ...(await invoiceStep(step.user, order, usesLastAddress(args.request))),
  });
}

/** Returns who will be the technical contact. Whoever orders has not seen the first step, which says so. */
async function technicalText(user: SessionUser): Promise<string> {
  const { name, email } = await technicalContact(user);
  return `${name}, ${email}`;
}

export async function action(args: ActionFunctionArgs) {
  const step = await requireStep(args);
  const order = await requireOrder(step, "invoice-address");
  const { request, context, user, wizard } = step;
  const { draft } = order;
  if (step.handsOver) return handOver(step, order);
  return submitInvoice({
    request,
    context,
    userId: user.id,
    draft,
    stepPath: (place) => paths.certificateWizard(wizard, place, draft.id),
    complete: (invoice) => completePurchase(user, order, invoice),
  });
}

/** Hands the renewal over to the colleagues who may complete it and give the invoice address, or goes back. */
async function handOver({ request, context, user, wizard }: StepRequest, order: OpenOrder): Promise<Response> {
  const intent = intentOf(await readForm(request), ["complete", "back"]);
  if (intent === "back") return redirect(paths.certificateWizard(wizard, "order", order.draft.id), 303);
  let told: number;
  try {
    told = await handOverRenewal(user, order);
  } catch (error) {
    return refused(asFormError(error, { request, context, code: "CIA0101E" }), {}, STEP_FORMS.invoice);
  }
  const text = `The renewal is prepared. We have written to ${told === 1 ? "one owner or purchaser" : `${told} owners and purchasers`} of your company.`;
  return redirectWithToast(request, paths.certificates, { kind: "ok", text });
}

import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { completePurchase } from "~/domain/certificates/purchase/completion.service.server";
import { technicalContact } from "~/domain/certificates/purchase/contact.service.server";
import { invoiceStep } from "~/domain/certificates/purchase/invoice.service.server";
import { type OpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { lacksTerms } from "~/domain/certificates/purchase/purchase.policy";
import { preparationOf } from "~/domain/certificates/succession/handed-over.server";
import { handOverRenewal } from "~/domain/certificates/succession/prepared-renewals.service.server";
import { mayAsMember } from "~/domain/companies/roles.policy";
import { type SubmittedInvoice } from "~/domain/orders/draft-completion.server";
import { saveInvoice } from "~/domain/orders/invoice.service.server";
import { redirectWithToast } from "~/http/flash.server";
import { paths } from "~/lib/paths";
import { requireOrder, requireStep, type StepRequest } from "../home.certificate.$wizard/wizard.server";
import { submitInvoice } from "./invoice-form.server";

export async function loader(args: LoaderFunctionArgs) {
  const step = await requireStep(args);
  const order = await requireOrder(step, "invoice-address");
  const mayComplete = mayAsMember(step.user, "place-orders");
  const preparation = await preparationOf(step.user, order.draft);
  return json({
    wizard: step.wizard,
    draftId: order.draft.id,
    mayComplete,
    asksForTerms: mayComplete && lacksTerms(step.user.id, order.draft),
    preparation,
    technical: mayComplete && preparation ? await technicalText(step.user) : null,
    ...(await invoiceStep(step.user.id, order)),
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
  return submitInvoice({
    request,
    context,
    userId: user.id,
    draft,
    stepPath: (place) => paths.certificateWizard(wizard, place, draft.id),
    complete: (invoice) =>
      mayAsMember(user, "place-orders") ? completePurchase(user, order, invoice) : handOver(step, order, invoice),
  });
}

/** Keeps the step and hands the renewal over to the colleagues who may complete it. */
async function handOver({ request, user }: StepRequest, order: OpenOrder, { typed }: SubmittedInvoice) {
  await saveInvoice(user.id, order.draft, typed);
  const told = await handOverRenewal(user, order);
  const text = `The renewal is prepared. We have written to ${told === 1 ? "one owner or purchaser" : `${told} owners and purchasers`} of your company.`;
  return redirectWithToast(request, paths.certificates, { kind: "ok", text });
}

import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { ORDER_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { type OpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { orderStep, submitOrder, type OrderIntent } from "~/domain/certificates/purchase/order.service.server";
import { orderValidator, renewalValidator } from "~/domain/certificates/purchase/validators";
import { csrFields } from "~/domain/certificates/request/csr-fields.server";
import { typedValues } from "~/domain/drafts/typed-values";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { BODY_LIMIT } from "~/http/limits";
import { invalid } from "~/http/responses.server";
import { paths } from "~/lib/paths";
import { requireOrder, requireStep, type StepRequest } from "../home.certificate.$wizard/wizard.server";

export async function loader(args: LoaderFunctionArgs) {
  const step = await requireStep(args);
  const order = await requireOrder(step, "order");
  return json({
    wizard: step.wizard,
    handsOver: step.handsOver,
    asksForTerms: asksForTerms(step, order),
    ...(await orderStep(step.user, order)),
  });
}

/** Enter means Next. `update` recomputes the total where no scripts run. */
const INTENTS: [OrderIntent, ...OrderIntent[]] = ["next", "import", "apply", "commands", "update", "back"];

/** The places of the page that show the result of a button. */
const ANCHORS: Partial<Record<OrderIntent, string>> = { import: "#csr-details", commands: "#csr-commands" };

function destination({ wizard }: StepRequest, intent: OrderIntent, draft: string): string {
  if (intent === "next") return paths.certificateWizard(wizard, "invoice-address", draft);
  if (intent === "back") return paths.certificateWizard(wizard, "contact-details", draft);
  return paths.certificateWizard(wizard, "order", draft) + (ANCHORS[intent] ?? "");
}

/** Returns whether the user accepts the terms in this step. A renewal that a colleague completes asks that colleague at its end. */
const asksForTerms = ({ handsOver }: StepRequest, { draft }: OpenOrder): boolean =>
  !handsOver && draft.handedOverAt === null;

/** Returns the rules of the form. A renewal has fewer. */
const validatorFor = (step: StepRequest, order: OpenOrder) =>
  order.original ? renewalValidator(order.original.refusals, asksForTerms(step, order)) : orderValidator;

/** Handles the pressed button and redirects to its target. */
export async function action(args: ActionFunctionArgs): Promise<Response> {
  const step = await requireStep(args);
  const { request, user } = step;
  const order = await requireOrder(step, "order");
  const form = await readForm(request, { limit: BODY_LIMIT });
  const intent = intentOf(form, INTENTS);
  const checked = await validatorFor(step, order).validate(form);
  const outcome = await submitOrder(user, order, {
    intent,
    typed: typedValues(checked.submittedData, ORDER_FIELDS),
    ...(await csrFields(form)),
    problems: checked.error?.fieldErrors ?? {},
  });
  const shown = { ...checked.submittedData, csr: outcome?.csr ?? "" };
  if (!outcome || Object.keys(outcome.problems).length === 0)
    return redirect(destination(step, intent, order.draft.id), 303);
  return invalid(
    { fieldErrors: outcome.problems, formId: STEP_FORMS.order, rules: outcome.rules },
    shown,
    outcome.retryAfter,
  );
}

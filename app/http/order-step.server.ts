import { json, redirect } from "@remix-run/node";
import { type OpenOrder } from "~/domain/certificates/purchase/open-order.server";
import { typedValues } from "~/domain/drafts/typed-values";
import { orderStep, submitOrder, type OrderIntent } from "~/domain/certificates/purchase/order.service.server";
import { ORDER_FIELDS, STEP_FORMS } from "~/domain/certificates/purchase/fields";
import { orderValidator, renewalValidator } from "~/domain/certificates/purchase/validators";
import { type PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { csrFields } from "~/domain/certificates/request/csr-fields.server";
import { intentOf } from "./form-actions.server";
import { readForm } from "./forms.server";
import { BODY_LIMIT } from "./limits";
import { requireOrder, type StepRequest } from "./purchase-draft.server";
import { tryAtField } from "./rate-limit.server";
import { invalid, refused } from "./responses.server";

/** Enter means Next. `update` recomputes the total where no script does it. */
const INTENTS: [OrderIntent, ...OrderIntent[]] = ["next", "import", "apply", "update", "back"];

function destination({ wizard }: StepRequest, intent: OrderIntent, draft: string): string {
  if (intent === "next") return paths.certificateWizard(wizard, "invoice-address", draft);
  if (intent === "back") return paths.certificateWizard(wizard, "contact-details", draft);
  return paths.certificateWizard(wizard, "order", draft) + (intent === "import" ? "#csr-details" : "");
}

/** The rules of the form: a renewal asks less. */
const validatorFor = ({ original }: OpenOrder) => (original ? renewalValidator(original.refusals) : orderValidator);

/** What the second step's page shows. */
export async function loadOrderStep(step: StepRequest) {
  return json(await orderStep(await requireOrder(step, "order")));
}

/** The refusal of a button that is pressed too often, for the field that it belongs to; null when it is not. */
async function findLimit({ user }: StepRequest, intent: OrderIntent, form: FormData): Promise<PortalError | null> {
  if (intent === "import") return tryAtField("csr-account", user.id, (await csrFields(form)).file ? "csrFile" : "csr");
  const isAsked = (intent === "apply" || intent === "next") && Boolean(form.get("promoCode"));
  return isAsked ? tryAtField("promotion-account", user.id, "promoCode") : null;
}

/** Does what the pressed button says, and goes on where it leads. */
export async function submitOrderStep(step: StepRequest): Promise<Response> {
  const { request, user } = step;
  const order = await requireOrder(step, "order");
  const form = await readForm(request, { limit: BODY_LIMIT });
  const intent = intentOf(form, INTENTS);
  const limit = await findLimit(step, intent, form);
  const checked = await validatorFor(order).validate(form);
  const outcome = await submitOrder(user, order, {
    intent: limit ? "keep" : intent,
    typed: typedValues(checked.submittedData, ORDER_FIELDS),
    ...(await csrFields(form)),
    problems: checked.error?.fieldErrors ?? {},
  });
  const shown = { ...checked.submittedData, csr: outcome?.csr ?? "" };
  if (outcome && limit) return refused(limit, shown, STEP_FORMS.order);
  if (!outcome || Object.keys(outcome.problems).length === 0)
    return redirect(destination(step, intent, order.draft.id), 303);
  return invalid({ fieldErrors: outcome.problems, formId: STEP_FORMS.order }, shown, outcome.retryAfter);
}

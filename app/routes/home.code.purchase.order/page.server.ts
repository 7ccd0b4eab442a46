import { redirect } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { CODE_ORDER_FIELDS, CODE_STEP_FORMS, DEFAULT_QUANTITY, readQuantity } from "~/domain/codes/purchase/fields";
import { saveOrder } from "~/domain/codes/purchase/steps.service.server";
import { codeOrderValidator } from "~/domain/codes/purchase/validators";
import { typedValues, type Typed } from "~/domain/drafts/typed-values";
import { intentOf } from "~/http/form-actions.server";
import { readForm } from "~/http/forms.server";
import { invalid } from "~/http/responses.server";
import { paths } from "~/lib/paths";
import { requireDraft } from "../home.code.purchase/draft.server";

/** An invalid quantity becomes the default (CPO-01). */
const withQuantity = (typed: Typed): Typed =>
  readQuantity(typed.quantity ?? "") === null ? { ...typed, quantity: String(DEFAULT_QUANTITY) } : typed;

/** Enter means Next. `update` computes the price where no scripts run. */
export async function submitOrder(request: Request, user: SessionUser): Promise<Response> {
  const draft = await requireDraft(request, user, "order");
  const form = await readForm(request);
  const intent = intentOf(form, ["next", "update", "back"]);
  const checked = await codeOrderValidator.validate(form);
  await saveOrder(user.id, draft, withQuantity(typedValues(checked.submittedData, CODE_ORDER_FIELDS)));
  if (intent === "back") return redirect(paths.codePurchase("contact-details", draft.id), 303);
  const { quantity, ...others } = checked.error?.fieldErrors ?? {};
  const problems = { ...(quantity && { quantity }), ...(intent === "next" && others) };
  if (Object.keys(problems).length === 0)
    return redirect(paths.codePurchase(intent === "next" ? "invoice-address" : "order", draft.id), 303);
  const again = quantity ? { ...checked.submittedData, quantity: String(DEFAULT_QUANTITY) } : checked.submittedData;
  return invalid({ fieldErrors: problems, formId: CODE_STEP_FORMS.order }, again);
}

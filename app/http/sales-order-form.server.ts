import { json } from "@remix-run/node";
import { type Actor } from "~/domain/audit/audit.service.server";
import { typedValues } from "~/domain/drafts/typed-values";
import { ASKS_TO_CREDIT } from "~/domain/orders/invoices/invoice-record.server";
import { SALES_ORDER_FORM, SALES_ORDER_LABELS } from "~/domain/orders/sales-order.fields";
import { salesOrderValidator } from "~/domain/orders/sales-order.lazy-validators";
import { updateSalesOrder } from "~/domain/orders/sales-order-update.service.server";
import { isPortalError } from "~/lib/errors";
import { redirectWithToast } from "./flash.server";
import { invalid, refused, typedAgain } from "./responses.server";

const SENT = [...Object.keys(SALES_ORDER_LABELS), "seen", "intent"];

/**
 * Saves the submitted form of a sales order and goes `to` the page that shows it; on every page that has the form. Before an invoice is
 * credited it answers what the page asks: `question`, and in `asked` the fields to send again.
 */
export async function saveSalesOrder(
  request: Request,
  { id, submitted, actor, to }: { id: number; submitted: FormData; actor: Actor; to: string },
): Promise<Response> {
  const form = await salesOrderValidator.validate(submitted);
  if (submitted.has("back")) return typedAgain(form.submittedData, SALES_ORDER_FORM);
  if (form.error) return invalid(form.error, form.submittedData);
  const isConfirmed = submitted.get("confirmed") === "yes";
  try {
    const { status, issued } = await updateSalesOrder(id, form.data, actor, { isConfirmed });
    const text = `The sales order has been saved. Its status is ${status}.${issued && ` ${issued} has been issued.`}`;
    return await redirectWithToast(request, to, { kind: "ok", text });
  } catch (error) {
    if (isPortalError(error) && error.code === ASKS_TO_CREDIT)
      return json({ asked: typedValues(Object.fromEntries(submitted), SENT), question: error.message });
    return refused(error, form.submittedData, SALES_ORDER_FORM);
  }
}

import { SALES_ORDER_FORM } from "~/domain/orders/sales-order.fields";
import { salesOrderValidator } from "~/domain/orders/sales-order.lazy-validators";
import { updateSalesOrder } from "~/domain/orders/sales-order-update.service.server";
import { type Actor } from "~/domain/audit/audit.service.server";
import { redirectWithToast } from "./flash.server";
import { invalid, refused } from "./responses.server";

/** Saves the submitted form of a sales order and goes `to` the page that shows it; on every page that has the form. */
export async function saveSalesOrder(
  request: Request,
  { id, submitted, actor, to }: { id: number; submitted: FormData; actor: Actor; to: string },
): Promise<Response> {
  const form = await salesOrderValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const status = await updateSalesOrder(id, form.data, actor);
    const text = `The sales order has been saved. Its status is ${status}.`;
    return await redirectWithToast(request, to, { kind: "ok", text });
  } catch (error) {
    return refused(error, form.submittedData, SALES_ORDER_FORM);
  }
}

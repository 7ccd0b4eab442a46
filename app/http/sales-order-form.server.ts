import { json } from "@remix-run/node";
import { type GenericObject } from "remix-validated-form";
import { type Actor } from "~/domain/audit/audit.service.server";
import { type ChangedMeanwhile, toldOnPage } from "~/domain/changed-meanwhile";
import { typedValues } from "~/domain/drafts/typed-values";
import { SALES_ORDER_FORM, SALES_ORDER_LABELS } from "~/domain/orders/sales-order.fields";
import { salesOrderValidator } from "~/domain/orders/sales-order.lazy-validators";
import { AsksFirst } from "~/domain/orders/sales-order-question";
import { updateSalesOrder } from "~/domain/orders/sales-order-update.service.server";
import { PortalError } from "~/lib/errors";
import { redirectWithToast } from "./flash.server";
import { invalid, refused, typedAgain } from "./responses.server";

/** Said when the status is not the one that was chosen (`statusAfter`). */
const STAYS_INVOICED =
  "It has invoice number, total and date: take them away for another status than Invoiced or Paid.";

const SENT = [...Object.keys(SALES_ORDER_LABELS), "seen", "replaces", "intent"];

/** Tells what is stored meanwhile; the next Update replaces it. */
function conflicting(conflict: ChangedMeanwhile, submitted: GenericObject) {
  const message = toldOnPage("The sales order has not been saved. It was", conflict, "Update");
  const error = new PortalError(message, { code: "order.changed-meanwhile", status: 409 });
  return refused(error, { ...submitted, replaces: conflict.version }, SALES_ORDER_FORM);
}

/**
 * Saves the submitted form of a sales order and goes `to` the page that shows it; on every page that has the form. Before a change with
 * consequences (`AsksFirst`) it answers the `question` that the page asks, and in `asked` the fields to send again.
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
    const saved = await updateSalesOrder(id, form.data, actor, { isConfirmed });
    if ("differing" in saved) return conflicting(saved, form.submittedData);
    const { status, issued } = saved;
    const text = `The sales order has been saved. Its status is ${status}.${issued && ` ${issued} has been issued.`}`;
    if (status !== form.data.status && status === "Invoiced")
      return await redirectWithToast(request, to, { kind: "warn", text: `${text} ${STAYS_INVOICED}` });
    return await redirectWithToast(request, to, { kind: "ok", text });
  } catch (error) {
    if (error instanceof AsksFirst)
      return json({ asked: typedValues(Object.fromEntries(submitted), SENT), question: error.asks });
    return refused(error, form.submittedData, SALES_ORDER_FORM);
  }
}

import { type LoaderFunctionArgs } from "@remix-run/node";
import { exportSalesOrders } from "~/domain/orders/list/export.service.server";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { MOST_CHOSEN } from "~/domain/orders/list/texts";
import { csvResponse } from "~/http/files.server";
import { requireUser } from "~/http/guard.server";
import { requireStepUp } from "~/http/step-up.server";
import { chosenIds } from "~/lib/list-params";

/** Returns sales orders as a CSV file: those with the ids in the URL or, with `all`, all that match the search. */
export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-sales-orders");
  await requireStepUp(request, user, "file");
  const query = new URL(request.url).searchParams;
  const what = query.has("all")
    ? { params: salesOrderList.read(query) }
    : { ids: chosenIds(query.getAll("id")).slice(0, MOST_CHOSEN) };
  return csvResponse(await exportSalesOrders(what, user.actor), "sales-orders.csv");
}

import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { findShownCompany } from "~/domain/companies/staff/companies-list.service.server";
import { legacySalesOrders } from "~/domain/frame/legacy-pages.server";
import { salesOrderChoiceSchema } from "~/domain/orders/list/choice.schema";
import { salesOrderList, type SalesOrderListParams } from "~/domain/orders/list/sales-order-list";
import { findSalesOrders, requireConditions, requireMatches } from "~/domain/orders/list/service.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { isPortalError } from "~/lib/errors";
import { chosenIds, LARGEST_ID, PAGE_SIZES, readNumber } from "~/lib/list-params";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { portalWords } from "~/lib/validation";

const paramsIn = (request: Request) => salesOrderList.read(new URL(request.url).searchParams);

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-sales-orders");
  const found = await findSalesOrders(paramsIn(request));
  const status = Object.keys(found.errors).length > 0 ? 422 : 200;
  const shownCompany = await findShownCompany(user, found.params.companyId);
  return json({ ...found, shownCompany, legacyPage: legacySalesOrders() }, { status });
}

export async function action({ request }: ActionFunctionArgs) {
  await requireUser(request, "see-sales-orders");
  const choice = await chooseSalesOrders(await readForm(request), paramsIn(request));
  return "problem" in choice ? json(choice, { status: 422 }) : redirect(choice.to, 303);
}

/** The problem of a choice with the ticked rows, or the address to redirect to. */
type Choice = { problem: string; chosen: number[] } | { to: string };

/**
 * Handles the form of the list page. It shows the details of one order, creates a file of the ticked orders or of all orders that match the
 * search, or shows the list with another page or sort order.
 */
async function chooseSalesOrders(submitted: FormData, params: SalesOrderListParams): Promise<Choice> {
  const id = submitted.getAll("id").filter((value) => typeof value === "string");
  const { data, error } = salesOrderChoiceSchema.safeParse(
    { ...Object.fromEntries(submitted), id },
    { errorMap: portalWords },
  );
  if (error) return { problem: error.issues[0]?.message ?? "", chosen: chosenIds(id) };
  const [first = 0] = data.id;
  switch (data.intent) {
    case "view":
      return { to: paths.salesOrder(first, salesOrderList.href(params, { selected: [first] })) };
    case "export":
      return {
        to: serverPaths.salesOrdersFile(
          new URLSearchParams(data.id.map((chosen) => ["id", String(chosen)])).toString(),
        ),
      };
    case "export-all":
      return everything(params, data.id);
    case "resize":
      return {
        to: salesOrderList.href(params, {
          page: 1,
          size: PAGE_SIZES.find((rows) => String(rows) === data.size) ?? params.size,
          selected: data.id,
        }),
      };
    case "go":
      return { to: goingOn(data, params) };
  }
}

/**
 * Returns the details page of an order, or the list page with another page or sort order, with the ticked orders. Links do this where
 * scripts run.
 */
function goingOn({ id, open, to }: { id: number[]; open: string; to: string }, params: SalesOrderListParams): string {
  const order = readNumber(open, LARGEST_ID);
  if (order !== null) return paths.salesOrder(order, salesOrderList.href(params, { selected: id }));
  return salesOrderList.href(salesOrderList.read(new URLSearchParams(to.split("?")[1])), { selected: id });
}

async function everything(params: SalesOrderListParams, chosen: number[]): Promise<Choice> {
  try {
    await requireMatches(await requireConditions(params));
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return { problem: error.message, chosen };
  }
  const search = salesOrderList.query(params, { page: 1, size: 10, selected: [] });
  search.set("all", "1");
  return { to: serverPaths.salesOrdersFile(search.toString()) };
}

import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { ALLOW_MESSAGES } from "~/components/mail/contact-stop-note";
import { type SessionUser } from "~/domain/accounts/session-user";
import { findOrderInvoices } from "~/domain/orders/invoices/invoices.service.server";
import { findMaintenance } from "~/domain/orders/maintenance/panel.service.server";
import { findSalesOrder } from "~/domain/orders/sales-order.service.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { LARGEST_ID, readNumber } from "~/lib/list-params";
import { paths } from "~/lib/paths";
import { allowMessages, saveSalesOrder } from "./sales-order-form.server";

/** Returns the order that the URL names, and the address of Back. Redirects to the list page when there is no such order (SAL-03). */
async function requireSalesOrder(request: Request, user: SessionUser) {
  const query = new URL(request.url).searchParams;
  const from = query.get("from") ?? "";
  const back = LISTS.includes(from.split("?", 1)[0] ?? "") ? from : paths.salesOrders;
  const id = readNumber(query.get("order"), LARGEST_ID);
  const order = id === null ? null : await findSalesOrder(id, user);
  if (!order) throw redirect(back);
  return { order, back };
}

/** Pages with sales orders on them. */
const LISTS: readonly string[] = [paths.salesOrders, paths.codes];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-sales-orders");
  const found = await requireSalesOrder(request, user);
  const query = new URL(request.url).searchParams;
  const maintenance = found.order.isMaintenance ? await findMaintenance(found.order.id, query) : null;
  return json({ ...found, maintenance, invoices: await findOrderInvoices(found.order.id, user) });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "see-sales-orders");
  const { order } = await requireSalesOrder(request, user);
  const { pathname, search } = new URL(request.url);
  const to = pathname + search;
  const submitted = await readForm(request);
  if (submitted.get("intent") === ALLOW_MESSAGES)
    return allowMessages(request, { email: order.invoiceEmail, orderId: order.id, actor: user.actor, to });
  return saveSalesOrder(request, { id: order.id, submitted, user, to });
}

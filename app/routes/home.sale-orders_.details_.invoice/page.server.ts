import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { PAYMENT_FORM } from "~/domain/orders/invoices/invoice-forms";
import {
  findOrderInvoices,
  issueCreditNote,
  issueInvoice,
  issueInvoiceTogether,
  type OrderInvoices,
  previewInvoice,
} from "~/domain/orders/invoices/invoices.service.server";
import { payInvoice } from "~/domain/orders/invoices/pay-invoice.service.server";
import { orderNumbersText } from "~/domain/orders/order-number";
import { creditValidator, paymentValidator, togetherValidator } from "~/domain/orders/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { PortalError } from "~/lib/errors";
import { LARGEST_ID, readNumber } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** Returns the order that the URL names. Redirects to the sales orders when there is none. */
async function requireOrder(request: Request, user: SessionUser) {
  const id = readNumber(new URL(request.url).searchParams.get("order"), LARGEST_ID);
  const invoices = id === null ? null : await findOrderInvoices(id, user);
  if (!invoices) throw redirect(paths.salesOrders);
  return invoices;
}

const toOrder = (request: Request, orderId: number, kind: "ok" | "warn", text: string) =>
  redirectWithToast(request, paths.salesOrder(orderId), { kind, text });

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "change-sales-orders");
  const { orderId, orderNumber, company, current, barrier, together } = await requireOrder(request, user);
  if (!current && barrier) return toOrder(request, orderId, "warn", barrier);
  const preview = current ? null : await previewInvoice(orderId);
  return json({ orderId, orderNumber, company, current, together, preview });
}

/** Records that the whole of a monthly invoice was paid. */
async function pay(
  request: Request,
  { orderId, current }: OrderInvoices,
  user: SessionUser,
  submitted: FormData,
): Promise<Response> {
  const form = await paymentValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  const { invoice: invoiceId, paymentDate, seen } = form.data;
  if (current?.id !== invoiceId)
    return toOrder(
      request,
      orderId,
      "warn",
      "Nothing was recorded, because the order does not have this invoice any more.",
    );
  try {
    const paid = await payInvoice({ invoiceId, paymentDate, seen }, user.actor);
    const text = `The payment of ${orderNumbersText(paid)} has been recorded.`;
    return await toOrder(request, orderId, "ok", paid.length === 0 ? "It was recorded before." : text);
  } catch (error) {
    return refused(error, form.submittedData, PAYMENT_FORM);
  }
}

/** Issues one invoice for the orders that the page showed. */
async function issueShown(
  request: Request,
  orderId: number,
  user: SessionUser,
  submitted: FormData,
): Promise<Response> {
  const form = await togetherValidator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  const numbers = await issueInvoiceTogether(orderId, form.data.seen, user.actor);
  const text =
    numbers.length === 1 ? `Invoice ${numbers[0]} has been issued.` : `Issued: invoices ${numbers.join(", ")}.`;
  return toOrder(request, orderId, "ok", text);
}

/** Issues the invoice, records its payment, or cancels it with a credit note. The page itself asks for confirmation. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "change-sales-orders");
  const invoices = await requireOrder(request, user);
  const { orderId } = invoices;
  const submitted = await readForm(request);
  try {
    if (submitted.get("intent") === "issue") {
      const number = await issueInvoice(orderId, user.actor);
      return await toOrder(request, orderId, "ok", `Invoice ${number} has been issued.`);
    }
    if (submitted.get("intent") === "issue-together") return await issueShown(request, orderId, user, submitted);
    if (submitted.get("intent") === "pay") return await pay(request, invoices, user, submitted);
    const form = await creditValidator.validate(submitted);
    if (form.error) return invalid(form.error, form.submittedData);
    const { invoice: invoiceId, scope, reason } = form.data;
    const number = await issueCreditNote({ orderId, invoiceId, reason, isWhole: scope === "whole" }, user.actor);
    return await toOrder(request, orderId, "ok", `Credit note ${number} has been issued.`);
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    return toOrder(request, orderId, "warn", error.message);
  }
}

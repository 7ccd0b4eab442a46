import { json } from "@remix-run/node";
import { type SessionUser } from "~/domain/accounts/session-user";
import { type Actor } from "~/domain/audit/audit.service.server";
import { takenText } from "~/domain/changed-meanwhile";
import { typedValues } from "~/domain/drafts/typed-values";
import { allowContact } from "~/domain/mail/contact-stop.service.server";
import { mergeForm, type MergeRules } from "~/domain/merge-form.server";
import { SALES_ORDER_FORM, SALES_ORDER_LABELS } from "~/domain/orders/sales-order-fields";
import { AsksFirst } from "~/domain/orders/sales-order-question";
import { updateSalesOrder } from "~/domain/orders/sales-order-update.service.server";
import { findSalesOrder } from "~/domain/orders/sales-order.service.server";
import { salesOrderValidator } from "~/domain/orders/validators";
import { redirectWithToast } from "~/http/flash.server";
import { collided, invalid, refused, typedAgain } from "~/http/responses.server";
import { notFound } from "~/lib/errors";
import { readEuro } from "~/lib/money";
import { readDay, typedDay } from "~/lib/typed-dates";

/** Shown when the status is not the chosen one (`statusAfter`). */
const STAYS_INVOICED =
  "It has an invoice number, total and date: remove them to choose another status than Invoiced or Paid.";

const SENT = [...Object.keys(SALES_ORDER_LABELS), "seen", "opened", "intent"];

const MERGE: MergeRules = {
  labels: SALES_ORDER_LABELS,
  version: "seen",
  joined: [{ names: ["invoiceNumber", "invoiceTotal", "invoiceDate"] }, { names: ["paymentTotal", "paymentDate"] }],
  same: (name, text) => {
    if (name.endsWith("Date")) return readDay(text) ?? text;
    return name.endsWith("Total") ? String(readEuro(text) ?? text) : text;
  },
  shown: (name, text) => (name.endsWith("Date") && text !== "" ? typedDay(text) : null),
};

interface Save {
  id: number;
  submitted: FormData;
  user: SessionUser;
  /** The address of the page that shows the order. */
  to: string;
  /** The labels of the fields that somebody else changed in the meantime. */
  taken?: readonly string[];
  /** The form as it was sent, when `submitted` is merged. */
  typed?: FormData;
}

/**
 * Saves the submitted form of a sales order and redirects to `to`, the page that shows it. All pages with this form use it. Before a change
 * with consequences (`AsksFirst`) it answers with the `question` for the page to ask, and with the fields to send again in `asked`. When
 * the order was changed in the meantime, the form is merged with it (`mergeForm`).
 */
export async function saveSalesOrder(request: Request, { taken = [], typed, ...save }: Save): Promise<Response> {
  const { id, submitted, user, to } = save;
  const form = await salesOrderValidator.validate(submitted);
  if (submitted.has("back")) return typedAgain(form.submittedData, SALES_ORDER_FORM);
  if (form.error) return invalid(form.error, form.submittedData);
  const isConfirmed = submitted.get("confirmed") === "yes";
  try {
    const saved = await updateSalesOrder(id, form.data, user.actor, { isConfirmed });
    if ("differing" in saved) {
      const order = await findSalesOrder(id, user);
      if (!order) throw notFound();
      const merged = mergeForm(submitted, order.form.values, MERGE);
      if (Object.keys(merged.collisions).length > 0) return await collided(merged, SALES_ORDER_FORM, "Update");
      const all = [...taken, ...merged.taken];
      return await saveSalesOrder(request, { ...save, submitted: merged.form, taken: all, typed: typed ?? submitted });
    }
    const { status, issued } = saved;
    const sentences = [
      "The sales order has been saved",
      `Its status is ${status}`,
      issued && `${issued} has been issued`,
    ];
    const text = `${[...sentences, takenText(taken)].filter(Boolean).join(". ")}.`;
    if (status !== form.data.status && status === "Invoiced")
      return await redirectWithToast(request, to, { kind: "warn", text: `${text} ${STAYS_INVOICED}` });
    return await redirectWithToast(request, to, { kind: "ok", text });
  } catch (error) {
    if (error instanceof AsksFirst)
      return json({ asked: typedValues(Object.fromEntries(typed ?? submitted), SENT), question: error.asks });
    return refused(error, form.submittedData, SALES_ORDER_FORM);
  }
}

/** Allows messages to a contact of an order again, and redirects to the order's page. */
export async function allowMessages(
  request: Request,
  { to, actor, ...contact }: { email: string; orderId: number; actor: Actor; to: string },
): Promise<Response> {
  const text = (await allowContact(contact, actor))
    ? `Messages to ${contact.email} are allowed again.`
    : `Messages to ${contact.email} were not stopped.`;
  return redirectWithToast(request, to, { kind: "ok", text });
}

import { z } from "zod";
import { paymentSchema } from "~/domain/orders/invoices/invoice-forms.schema";
import { findIssuedInvoice, payInvoice } from "~/domain/orders/invoices/pay-invoice.service.server";
import { orderNumber } from "~/domain/orders/order-number";
import { getSalesOrderData } from "~/domain/orders/sales-order-data.service.server";
import { AMOUNT_LIMIT, AMOUNT_MOST, INVOICE_NUMBER_LIMIT, ORDER_STATUSES } from "~/domain/orders/sales-order-fields";
import { updateSalesOrder } from "~/domain/orders/sales-order-update.service.server";
import { salesOrderSchema } from "~/domain/orders/sales-order.schema";
import { findSalesOrder } from "~/domain/orders/sales-order.service.server";
import { notFound, PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { call, type SignedCaller } from "../call";
import { check, type WireNames } from "../check";
import { versionConflictMessage } from "../conflict";
import { TAKEN_DATES, day, version } from "../dates";
import { textRule } from "../rules";
import { toWholeOrder, wholeOrder } from "../sales-order-data";
import { id } from "../wire";

const NONE = "an empty text, a single space or null clears it";
const KEPT = `Unchanged when omitted; ${NONE}`;
const KEPT_OR_MADE = `When omitted, it is unchanged or follows from the status; ${NONE}`;

const rules = salesOrderSchema.shape;

/** Returns the schema of a text that stays unchanged when it is omitted. */
const change = (rule: z.ZodTypeAny, description = KEPT) =>
  z
    .string({ invalid_type_error: messages.invalid })
    .nullish()
    .openapi({ maxLength: textRule(rule).maxLength, description });

const amount = () =>
  z
    .union([z.number(), z.string()], { errorMap: () => ({ message: messages.invalid }) })
    .nullish()
    .openapi({
      maxLength: AMOUNT_LIMIT,
      description: `Euro, at most ${AMOUNT_MOST} with two decimals; a negative one counts as 0. ${KEPT_OR_MADE}`,
    });

const dayChange = () => day().nullish().describe(`${TAKEN_DATES}. ${KEPT_OR_MADE}`);

/** The payload of a sales order update (SAL-03). */
const update = z
  .object({
    id: id(),
    status: z
      .string({ invalid_type_error: messages.invalid })
      .nullish()
      .openapi({
        type: "string",
        enum: [...ORDER_STATUSES],
        description: "Unchanged when omitted, unless an invoice makes it Invoiced",
      }),
    remarks: change(rules.remarks),
    promoCode: change(rules.promotionCode),
    invoiceNumber: change(rules.invoiceNumber, KEPT_OR_MADE),
    invoiceTotal: amount(),
    invoiceDate: dayChange(),
    paymentTotal: amount(),
    paymentDate: dayChange(),
    updatedAt: version("order"),
  })
  .strict();

const UPDATE_NOTES = `The answer is the changed order. Repeating the same request changes nothing. Money and codes follow the status:

- With \`invoiceNumber\`, an \`invoiceTotal\` above 0 and \`invoiceDate\` it becomes Invoiced, unless Paid is chosen.
- Invoiced without an \`invoiceNumber\`: the portal issues the invoice, with the next number, today's date and the order's total, and sends it to the customer. Only a credit note cancels it. None is issued when there is nothing to pay, or before the order's certificate is issued.
- Paid: when neither sent nor stored, \`paymentTotal\` is the order's total and \`paymentDate\` is today. Codes become available, and the customer is notified.
- No longer Paid: both are cleared, even if they are sent, and the codes are taken back. New \`remarks\` are required: they are sent to the customer as the reason.
- Cancelled: an invoice of the portal is credited at once, with new \`remarks\` as the reason. The customer is notified, with new \`remarks\` as the reason. The order cannot be changed any more.
- An order whose certificate was rejected or cancelled becomes Cancelled when it is neither Paid nor Invoiced, or no longer Paid.`;

const UPDATE_REFUSALS = {
  404: "There is no such order",
  409: "It was changed by somebody else after `updatedAt`",
  422: `A field is not valid, such as a date in the future (\`request.invalid\`); a date before the order date, the invoice number of another order, no new \`remarks\` of
an order that is no longer Paid, registered codes of it, a pending certificate of one to be cancelled, or a cancelled order (\`order.update\`); a change of an invoice
that the portal issued, or a number like its own, \`INV-2026-00001\` (\`invoice.by-hand\`); no new \`remarks\` for a credit note (\`invoice.credit-reason\`)`,
};

const NAMES: WireNames = { promotionCode: "promoCode", seen: "updatedAt" };

async function save({ id: orderId, promoCode, updatedAt, ...given }: z.output<typeof update>, { user }: SignedCaller) {
  const order = await findSalesOrder(orderId, user);
  if (!order) throw notFound();
  const changes = Object.entries({ ...given, promotionCode: promoCode, seen: updatedAt ?? undefined })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value ?? "")]);
  const form = check(salesOrderSchema, { ...order.form.values, ...Object.fromEntries(changes) }, NAMES);
  const saved = await updateSalesOrder(orderId, form, user.actor, { isConfirmed: true });
  if ("differing" in saved)
    throw new PortalError(versionConflictMessage(saved), {
      code: "order.changed-meanwhile",
      status: 409,
      field: "updatedAt",
    });
  return toWholeOrder(await getSalesOrderData(orderId));
}

/** The call that changes a single sales order. */
export const updateCall = call({
  path: "codes/updateSalesOrder",
  method: "POST",
  who: "change-sales-orders",
  clients: "write",
  summary: "Changes status, invoice, payment and remarks of a sales order",
  notes: UPDATE_NOTES,
  failure: "OCA0M01E",
  refuses: UPDATE_REFUSALS,
  input: update,
  output: wholeOrder,
  handle: save,
});

const payment = z
  .object({
    invoiceNumber: z
      .string({ required_error: messages.required, invalid_type_error: messages.invalid })
      .max(INVOICE_NUMBER_LIMIT, messages.outOfRange)
      .describe("The number of an invoice that the portal issued, such as `INV-2026-00001`"),
    paymentDate: day().nullish().describe(`${TAKEN_DATES}. Today when it is omitted`),
  })
  .strict();

async function pay({ invoiceNumber, paymentDate }: z.output<typeof payment>, { user }: SignedCaller) {
  const invoiceId = await findIssuedInvoice(invoiceNumber);
  const form = check(paymentSchema, { invoice: invoiceId, paymentDate: paymentDate ?? "" });
  const paid = await payInvoice({ invoiceId, paymentDate: form.paymentDate }, user.actor);
  return paid.map((orderId) => ({ id: orderId, orderNumber: orderNumber(orderId) }));
}

/** Records the payment of a whole invoice. A part of it is recorded with the order. */
export const payCall = call({
  path: "codes/payInvoice",
  method: "POST",
  who: "change-sales-orders",
  clients: "write",
  summary: "Records that an invoice was paid as a whole, for all of its orders",
  notes:
    "Every order that still has the invoice and is Invoiced becomes Paid with its total, all or none. The answer is these orders; it is empty when the payment was recorded before.",
  refuses: {
    404: "There is no such invoice",
    422: "A field is not valid, such as a date in the future (`request.invalid`) or before the day of an order (`order.update`), or a credit note has cancelled the invoice (`invoice.none`)",
  },
  input: payment,
  output: z.array(z.object({ id: z.number().int(), orderNumber: z.string() })),
  handle: pay,
});

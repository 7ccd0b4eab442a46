import { formatEuro } from "~/lib/money";
import { type Trx } from "~db/connection.server";
import { listInvoicesOf } from "~db/repositories/invoices.server";
import { customerNote, leavesPaid, type OrderChange } from "./customer-note";
import { cancelQuestion, issueQuestion } from "./invoices/invoice.policy";
import { currentInvoice, isInvoiceDue } from "./invoices/issue-invoice.server";
import { partOfOrder } from "./invoices/monthly-draft.server";
import { SALES_ORDER_LABELS as labels } from "./sales-order-fields";
import { AsksFirst, type SalesOrderQuestion } from "./sales-order-question";

/** Returns the message to the customer as one of the consequences. */
function customerNotices(change: OrderChange): string[] {
  const note = customerNote(change);
  return note.length === 0 ? [] : [`The customer is notified by email: ${note.join(" ")}`];
}

/** Returns a sentence for each amount that is new and differs from the order total. */
function amountTexts({ before, after }: OrderChange): string[] {
  const becomesPaid = after.status === "Paid" && before.status !== "Paid";
  const amounts = [
    { label: labels.invoiceTotal, cents: after.invoiceCents, isNew: after.invoiceCents !== before.invoiceCents },
    {
      label: labels.paymentTotal,
      cents: after.paymentCents,
      isNew: becomesPaid || after.paymentCents !== before.paymentCents,
    },
  ];
  return amounts
    .filter(({ cents, isNew }) => isNew && cents !== null && cents !== after.totalCents)
    .map(
      ({ label, cents }) =>
        `${label}: ${formatEuro(cents ?? 0)} is not the order total of ${formatEuro(after.totalCents)}.`,
    );
}

async function aboutCancelling(trx: Trx, change: OrderChange): Promise<SalesOrderQuestion> {
  const { before, reason, certificate } = change;
  const invoice = currentInvoice(await listInvoicesOf(trx, [before.id]));
  return {
    title: "Cancel order",
    question: cancelQuestion(invoice && partOfOrder(invoice), certificate),
    consequences: [
      ...(invoice ? [`The credit note is sent to the customer. Reason: ${reason}`] : []),
      ...customerNotices(change),
    ],
    confirmLabel: invoice ? "Cancel order and issue credit note" : "Cancel order",
    isDangerous: true,
  };
}

/** Returns the question about a change of an order, or null when it has no consequences to ask about. */
async function questionAbout(trx: Trx, change: OrderChange): Promise<SalesOrderQuestion | null> {
  const { before, after } = change;
  const isChanged = after.status !== before.status;
  const amounts = amountTexts(change);
  if (isChanged && after.status === "Cancelled") return aboutCancelling(trx, change);
  if (isChanged && after.status === "Invoiced" && (await isInvoiceDue(trx, after)))
    return {
      title: "Issue invoice",
      question: issueQuestion(after),
      consequences: [
        "It is sent to the customer and cannot be changed afterwards, only cancelled by a credit note.",
        ...amounts,
      ],
      confirmLabel: "Issue invoice",
    };
  if (leavesPaid(change))
    return {
      title: "Take back payment",
      question: "Are you sure you wish to record that this order is not paid any more?",
      consequences: [...customerNotices(change), ...amounts],
      confirmLabel: "Take back payment",
      isDangerous: true,
    };
  if (amounts.length > 0)
    return {
      title: "Save amounts",
      question: "Are you sure you wish to save an amount that is not the order total?",
      consequences: amounts,
      confirmLabel: "Save",
    };
  return null;
}

/**
 * Throws `AsksFirst` when a change of a sales order has consequences that staff must confirm before it is saved. Call it inside the
 * transaction of the change, which is then rolled back.
 */
export async function askFirst(trx: Trx, change: OrderChange): Promise<void> {
  const question = await questionAbout(trx, change);
  if (question) throw new AsksFirst(question);
}

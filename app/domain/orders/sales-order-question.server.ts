import { formatEuro } from "~/lib/money";
import { type Trx } from "~db/connection.server";
import { findOrder, type OrderRow } from "~db/repositories/orders.server";
import { listInvoicesOf } from "~db/repositories/invoices.server";
import { type CertificateStatus } from "~db/tables";
import { codesOf } from "./code-payment.server";
import { cancelQuestion, issueQuestion } from "./invoices/invoice.policy";
import { currentInvoice, isInvoiceDue } from "./invoices/issue-invoice.server";
import { refundText } from "./refund.policy";
import { SALES_ORDER_LABELS as labels } from "./sales-order.fields";
import { AsksFirst, type SalesOrderQuestion } from "./sales-order-question";

interface Change {
  /** The order before the change. */
  before: OrderRow;
  /** The order as it is stored now, in the same transaction. */
  after: OrderRow;
  /** What staff wrote with the change; "" when they wrote nothing new. */
  reason: string;
  /** Status of the certificate that was ordered. */
  certificate: CertificateStatus | undefined;
}

const isText = (text: string | null): text is string => text !== null && text !== "";

/** What becomes of the codes of a cancelled order; null for an order without codes. */
function codesText({ before, after }: Change): string | null {
  const codes = codesOf(after);
  if (codes === null) return null;
  return before.status === "Paid" ? `The customer loses ${codes}.` : "The customer gets no codes from this order.";
}

const toldText = (reason: string) =>
  reason === "" ? "The customer is told by email." : `The customer is told by email. Reason: ${reason}`;

/** The amounts that staff typed, each as a sentence when it is new and not what the order costs. */
function amountTexts({ before, after }: Change): string[] {
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

async function aboutCancelling(trx: Trx, change: Change): Promise<SalesOrderQuestion> {
  const { before, after, reason, certificate } = change;
  const invoice = currentInvoice(await listInvoicesOf(trx, before.id));
  const isTold = codesOf(after) !== null;
  return {
    title: "Cancel Order",
    question: cancelQuestion(invoice, certificate),
    consequences: [
      codesText(change),
      refundText(before),
      invoice && `The credit note is sent to the customer. Reason: ${reason}`,
      isTold ? toldText(reason) : null,
    ].filter(isText),
    confirmLabel: invoice ? "Cancel Order and Issue Credit Note" : "Cancel Order",
    isDangerous: true,
  };
}

/** Returns the question about a change of an order, or null when it has no consequences to ask about. */
async function questionAbout(trx: Trx, change: Change): Promise<SalesOrderQuestion | null> {
  const { before, after } = change;
  const isChanged = after.status !== before.status;
  const amounts = amountTexts(change);
  if (isChanged && after.status === "Cancelled") return aboutCancelling(trx, change);
  if (isChanged && after.status === "Invoiced" && (await isInvoiceDue(trx, after)))
    return {
      title: "Issue Invoice",
      question: issueQuestion(after),
      consequences: [
        "It is sent to the customer and cannot be changed afterwards, only cancelled by a credit note.",
        ...amounts,
      ],
      confirmLabel: "Issue Invoice",
    };
  if (amounts.length > 0)
    return {
      title: "Save Amounts",
      question: "Are you sure you wish to save an amount that is not the order total?",
      consequences: amounts,
      confirmLabel: "Save",
    };
  return null;
}

/**
 * Throws `AsksFirst` when a change of a sales order has consequences that staff must know before it is saved. It is called inside the
 * change's transaction, which ends with the question.
 */
export async function askFirst(
  trx: Trx,
  before: OrderRow,
  given: { remarks: string; certificate: CertificateStatus | undefined },
): Promise<void> {
  const after = await findOrder(trx, before.id);
  if (!after) return;
  const { remarks, certificate } = given;
  const reason = remarks === before.remarks ? "" : remarks;
  const question = await questionAbout(trx, { before, after, reason, certificate });
  if (question) throw new AsksFirst(question);
}

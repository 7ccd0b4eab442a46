import { isOfLeaver } from "~/domain/companies/recipient.server";
import { type AccountMail, queueContactMail, queueToAccounts } from "~/domain/mail/queue.service.server";
import { invoiceMail } from "~/domain/mail/templates/invoices.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { type UserRow } from "~db/repositories/users.server";
import { parseInvoiceAddress } from "../invoice-address.schema";
import { type InvoiceContent } from "./invoice-content";

/** A stored invoice or credit note, its order, and who gets the messages about it. */
export interface DocumentToSend {
  order: OrderRow;
  recipient: UserRow;
  id: number;
  content: InvoiceContent;
}

/**
 * Queues the email with each of these documents to the recipient of its order's messages, and to the invoice address when it differs and is
 * not that of somebody who has left the company.
 */
export async function queueInvoiceMails(trx: Trx, documents: readonly DocumentToSend[], now: Date): Promise<void> {
  const own: AccountMail[] = [];
  for (const { order, recipient, id, content } of documents) {
    const url = getEnv().publicUrl + paths.invoice(id);
    const { email, name } = parseInvoiceAddress(order.invoiceAddress);
    const mailFor = (person: string) => invoiceMail({ name: person, content, url });
    const common = { orderId: order.id, invoiceId: id };
    const keyOf = (to: string) => `invoice:${content.number}:${to}` as const;
    const isOther = email && email.toLowerCase() !== recipient.email.toLowerCase();
    if (isOther && !(await isOfLeaver(trx, order, email))) {
      const contact = { ...common, dedupeKey: keyOf(email), to: email, mail: mailFor(name) };
      await queueContactMail(trx, recipient.id, contact, now);
    }
    const mail = mailFor(`${recipient.firstName} ${recipient.lastName}`);
    own.push({ ...common, dedupeKey: keyOf(recipient.email), mail, account: recipient });
  }
  await queueToAccounts(trx, own, now);
}

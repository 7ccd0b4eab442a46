import { queueContactMail, queueToAccount } from "~/domain/mail/queue.service.server";
import { invoiceMail } from "~/domain/mail/templates/invoices.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { type Trx } from "~db/connection.server";
import { type OrderRow } from "~db/repositories/orders.server";
import { type UserRow } from "~db/repositories/users.server";
import { parseInvoiceAddress } from "../invoice-address.schema";
import { type InvoiceContent } from "./invoice-content";

/** Queues the email with an invoice or credit note to the recipient of the order's messages, and to the invoice address when it differs. */
export async function queueInvoiceMail(
  trx: Trx,
  order: OrderRow,
  owner: UserRow,
  { id, content }: { id: number; content: InvoiceContent },
  now: Date,
): Promise<void> {
  const url = getEnv().publicUrl + paths.invoice(id);
  const { email, name } = parseInvoiceAddress(order.invoiceAddress);
  const mailFor = (person: string) => invoiceMail({ name: person, content, url });
  const common = { orderId: order.id, invoiceId: id };
  const keyOf = (to: string) => `invoice:${content.number}:${to}` as const;
  if (email && email.toLowerCase() !== owner.email.toLowerCase()) {
    const contact = { ...common, dedupeKey: keyOf(email), to: email, mail: mailFor(name) };
    await queueContactMail(trx, owner.id, contact, now);
  }
  const mail = mailFor(`${owner.firstName} ${owner.lastName}`);
  await queueToAccount(trx, owner, { ...common, dedupeKey: keyOf(owner.email), mail }, now);
}

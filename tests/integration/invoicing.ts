import { systemActor } from "~/domain/audit/audit.service.server";
import { issueDueInvoices } from "~/domain/orders/invoices/issue-invoice.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as file from "~/routes/home.invoice.$id";
import * as invoicePage from "~/routes/home.sale-orders_.details_.invoice/route";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { usePeople } from "../support/people";
import { run } from "../support/visitor";

export const TODAY = () => new Date().toISOString().slice(0, 10);
export const actor = systemActor("test");

export const issue = (orderId: number, now = new Date()) =>
  inTransaction(async (trx) => (await issueDueInvoices(trx, [{ orderId, actor }], now)).get(orderId) ?? null);

export const auditsOf = (orderId: number) =>
  getDb()
    .selectFrom("auditEntries")
    .select(["event", "message", "actorName", "reference"])
    .where("orderId", "=", orderId)
    .where("event", "like", "invoice.%")
    .orderBy("id")
    .execute();

/**
 * Returns the people of `usePeople`, and functions for what they do with invoices. Call it once at the top of the file, after `usePortal`.
 */
export function useInvoicing() {
  const people = usePeople();
  const act = async (orderId: number, fields: Record<string, string>, who = people.admin) =>
    run(invoicePage.action, await who.visitor.post(rarePaths.salesOrderInvoice(orderId), fields));
  return {
    people,
    act,
    order: (given: Parameters<typeof createInvoiceableOrder>[1] = {}) => createInvoiceableOrder(people.customer, given),
    credit: async (orderId: number, reason: string) => {
      const invoice = (await invoicesOf(orderId)).at(-1);
      return act(orderId, { intent: "credit", invoice: String(invoice?.id), reason });
    },
    download: (id: number, who = people.customer) =>
      run(file.loader, who.visitor.get(paths.invoice(id)), { id: String(id) }),
  };
}

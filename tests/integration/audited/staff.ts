import { queueMail } from "~/domain/mail/queue.service.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { staffPaths } from "~/lib/staff-paths";
import * as managePage from "~/routes/home.manage/route";
import * as invoicePage from "~/routes/home.sale-orders_.details_.invoice/route";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { type Deed, deed } from "../../support/audited";
import { createCode, createCodeOrder } from "../../support/codes";
import { createAdmin, createUser } from "../../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../../support/invoices";
import { createMany, createOne, newBatch, storedCodes } from "../../support/promotion-codes";
import { saleFields } from "../../support/sales-orders";
import { run, signedInAs } from "../../support/visitor";

const staff = async () => signedInAs(await createAdmin());

const BANNER = { banner: "https://images.example/banner.png", link: "https://example.org/", tooltip: "Conference" };
const TERMS = { value: "50", months: "12", validUntil: "" };

/** Returns the request of an administrator who changes these fields on the page of a sales order. */
const selling = (changed: Record<string, string>, given: Parameters<typeof createInvoiceableOrder>[1] = {}) =>
  async function sell() {
    const id = await createInvoiceableOrder(await createUser(), given);
    return { visitor: await staff(), path: paths.salesOrder(id), fields: await saleFields(id, changed) };
  };

/** Actions of administrators about settings, sales orders, promotion codes and lists, by route. */
export const STAFF: Record<string, readonly Deed[]> = {
  "home.jobs": [
    deed("running a job by hand", ["job.started"], async () => ({
      visitor: await staff(),
      fields: { job: "clean-up" },
    })),
  ],
  "home.mail._index": [
    deed("sending a message again", ["mail.sent-again"], async () => {
      const mail = { subject: "Subject", text: "Text", html: "<p>Text</p>" };
      const to = "somebody@example.com";
      await inTransaction((trx) => queueMail(trx, { dedupeKey: "verify-email:again", to, mail }));
      const [row] = await getDb().selectFrom("mails").select("id").where("recipient", "=", to).execute();
      return { visitor: await staff(), path: staffPaths.mail, fields: { id: String(row?.id) } };
    }),
    deed("dismissing a rejected message", ["mail.dismissed"], async () => {
      const mail = { subject: "Subject", text: "Text", html: "<p>Text</p>" };
      const to = "refused@example.org";
      await inTransaction((trx) => queueMail(trx, { dedupeKey: "verify-email:refused", to, mail }));
      const mails = getDb().updateTable("mails").set({ rejectedAt: new Date(), lastError: "550" });
      const { id } = await mails.where("recipient", "=", to).returning("id").executeTakeFirstOrThrow();
      const fields = { id: String(id), intent: "dismiss", confirmed: "yes" };
      return { visitor: await staff(), path: staffPaths.mail, fields };
    }),
  ],
  "home.manage": [
    deed("changing the banner", ["homepage.updated"], async () => ({ visitor: await staff(), fields: BANNER })),
    deed("removing the banner", ["homepage.banner-removed"], async () => {
      const visitor = await staff();
      await run(managePage.action, await visitor.post(staffPaths.manage, { ...BANNER, tooltip: "Another" }));
      return { visitor, fields: { intent: "remove", confirmed: "yes" } };
    }),
  ],
  "home.promotion-codes.new": [
    deed("a promotion code", ["promotion-code.created"], async () => ({
      visitor: await staff(),
      fields: { ...TERMS, batch: newBatch() },
    })),
  ],
  "home.promotion-codes.bulk": [
    deed("promotion codes", ["promotion-code.created"], async () => ({
      visitor: await staff(),
      fields: { ...TERMS, count: "3", prefix: "", batch: newBatch() },
    })),
  ],
  "home.promotion-codes._index": [
    deed("withdrawing a promotion code", ["promotion-code.withdrawn"], async () => {
      const [visitor, batch] = [await staff(), newBatch()];
      await createOne(visitor, { batch });
      const [stored] = await storedCodes(batch);
      return { visitor, fields: { intent: "withdraw", code: stored?.code ?? "", confirmed: "yes" } };
    }),
    deed("being asked whether to withdraw one", [], async () => {
      const [visitor, batch] = [await staff(), newBatch()];
      await createMany(visitor, { batch });
      const [stored] = await storedCodes(batch);
      return { visitor, fields: { intent: "withdraw", code: stored?.code ?? "" } };
    }),
  ],
  "home.sale-orders": [
    deed("choosing sales orders to export", [], async () => {
      const id = await createCodeOrder(await createUser(), "Full", 1);
      return { visitor: await staff(), fields: { intent: "export", id: String(id) } };
    }),
  ],
  "home.sale-orders_.details": [
    deed("recording a payment", ["order.updated"], selling({ status: "Paid" })),
    deed("invoicing by hand", ["order.updated"], selling({ status: "Invoiced", invoiceNumber: "OTHER-1" })),
    deed(
      "cancelling an order",
      ["order.updated"],
      selling({ status: "Cancelled", remarks: "Ordered twice", confirmed: "yes" }),
    ),
    deed("being asked whether to cancel an order", [], selling({ status: "Cancelled", remarks: "Ordered twice" })),
    deed("changing remarks", ["order.updated"], selling({ remarks: "Call back" })),
  ],
  "home.sale-orders_.details_.invoice": [
    deed("issuing an invoice", ["invoice.issued"], async () => {
      const id = await createInvoiceableOrder(await createUser());
      return { visitor: await staff(), path: rarePaths.salesOrderInvoice(id), fields: { intent: "issue" } };
    }),
    deed("recording the payment of an invoice", ["order.updated"], async () => {
      const id = await createInvoiceableOrder(await createUser());
      const [visitor, path] = [await staff(), rarePaths.salesOrderInvoice(id)];
      await run(invoicePage.action, await visitor.post(path, { intent: "issue" }));
      const [invoice] = await invoicesOf(id);
      const fields = { intent: "pay", invoice: String(invoice?.id), paymentDate: "", seen: String(id) };
      return { visitor, path, fields };
    }),
    deed("issuing a credit note", ["invoice.credited"], async () => {
      const id = await createInvoiceableOrder(await createUser());
      const [visitor, path] = [await staff(), rarePaths.salesOrderInvoice(id)];
      await run(invoicePage.action, await visitor.post(path, { intent: "issue" }));
      const [invoice] = await invoicesOf(id);
      return { visitor, path, fields: { intent: "credit", invoice: String(invoice?.id), reason: "Wrong company" } };
    }),
  ],
  "home.search-codes": [
    deed("opening a code of the register", [], async () => {
      const { id } = await createCode(await createUser());
      return { visitor: await staff(), fields: { intent: "view", id: String(id) } };
    }),
  ],
};

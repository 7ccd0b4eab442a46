import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { queueMail } from "~/domain/mail/queue.service.server";
import { issueDueInvoices } from "~/domain/orders/invoices/issue-invoice.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as invoicePage from "~/routes/home.sale-orders_.details_.invoice/route";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { invoiceMailsOf } from "../support/certificates";
import { countedTo, invoicesOf, numbersGiven } from "../support/invoices";
import { plainMail } from "../support/mails";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleOf as sale, saveSale } from "../support/sales-orders";
import { errorsOf } from "../support/visitor";
import { actor, issue, TODAY, useInvoicing } from "./invoicing";

const portal = usePortal();
const { people, order, credit, download } = useInvoicing();

test("[SAL-05] an order of more cents than 32 bits hold gets its invoice", async () => {
  const id = await order({ netCents: 3_000_000_000, vatCents: 600_000_000, totalCents: 3_600_000_000 });
  const invoice = await issue(id);
  const { html } = await openPage(invoicePage, people.admin.visitor, rarePaths.salesOrderInvoice(id));
  expect(pageText(html)).toContain(`${invoice?.number}`);
  expect(pageText(html)).toContain("€36,000,000.00");
});

describe("invoice numbers", () => {
  test("[SAL-05] restart each year in UTC, have no gap after a failure, and continue after a jump of the clock", async () => {
    const at = async (moment: string) => {
      const id = await order();
      return (await issue(id, new Date(moment)))?.number;
    };
    expect(await at("2040-12-31T23:59:59.999Z")).toBe("INV-2040-00001");
    expect(await at("2041-01-01T00:00:00.000Z")).toBe("INV-2041-00001");
    expect(await at("2040-12-31T12:00:00.000Z")).toBe("INV-2040-00002");
    const id = await order();
    const failing = inTransaction(async (trx) => {
      const issued = await issueDueInvoices(trx, [{ orderId: id, actor }], new Date("2041-06-01T00:00:00Z"));
      expect(issued.get(id)?.number).toBe("INV-2041-00002");
      throw new Error("The disk is full.");
    });
    await expect(failing).rejects.toThrow("The disk is full.");
    expect(await invoicesOf(id)).toEqual([]);
    expect(await sale(id)).toMatchObject({ status: "Open", invoiceNumber: null });
    expect(await at("2041-06-02T00:00:00.000Z")).toBe("INV-2041-00002");
    expect(await numbersGiven("invoice", 2041)).toEqual(countedTo(2));
    expect(await numbersGiven("credit-note", 2041)).toEqual([]);
  });

  test("[SAL-05] are not affected by invoices that staff record by hand", async () => {
    const id = await order();
    const save = (fields: Record<string, string>) => saveSale(people.admin.visitor, id, fields);
    const free = await errorsOf(await save({ invoiceNumber: "INV-2026-00099", invoiceDate: TODAY() }));
    expect(free.errors).toEqual({
      invoiceNumber: "The portal assigns numbers of this kind: issue the invoice instead.",
    });
    await issue(id);
    const { invoiceNumber } = await sale(id);
    const refused = await errorsOf(await save({ invoiceNumber: "17", invoiceDate: TODAY() }));
    expect(refused.errors).toEqual({
      invoiceNumber:
        "The portal issued this invoice: its number, total and date cannot be changed. A credit note cancels it.",
    });
    expect((await errorsOf(await save({ invoiceTotal: "1.00" }))).errors).toEqual(refused.errors);
    expect((await save({ status: "Paid", paymentDate: TODAY() })).status).toBe(303);
    expect(await sale(id)).toMatchObject({ status: "Paid", invoiceNumber });
  });
});

describe("the invoice's message", () => {
  test("[MAI-03] [SAL-05] waits half a minute at most while orders are being approved; other messages do not", async () => {
    const [id, now] = [await order(), new Date()];
    await issue(id, now);
    const other = {
      dedupeKey: "reset-code:hurried",
      to: people.customer.email,
      mail: plainMail("Code", "A code."),
    } as const;
    await inTransaction((trx) => queueMail(trx, other, now));
    const sentAfter = async (seconds: number) => {
      await deliverDueMail(new Date(now.getTime() + seconds * 1000), () => true);
      const hurried = await getDb()
        .selectFrom("mails")
        .select("sentAt")
        .where("dedupeKey", "=", other.dedupeKey)
        .execute();
      return [...hurried, ...(await invoiceMailsOf(id))].map(({ sentAt }) => sentAt !== null);
    };
    expect(await sentAfter(0)).toEqual([true, false, false]);
    expect(await sentAfter(29)).toEqual([true, false, false]);
    expect(await sentAfter(30)).toEqual([true, true, true]);
  });

  test("[MAI-01] [SAL-05] goes to the owner and to the invoice address with the PDF", async () => {
    const id = await order();
    await issue(id);
    const [invoice] = await invoicesOf(id);
    const mails = await invoiceMailsOf(id);
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual(
      [people.customer.email, "invoices@example-parts.com"].sort(),
    );
    for (const { subject, text } of mails) {
      expect(subject).toBe(`Order SO-${id}: your invoice ${invoice?.number}`);
      for (const said of [
        `http://portal.test${paths.invoice(invoice?.id ?? 0)}`,
        "€1,080.00",
        "Payable within 30 days",
      ])
        expect(text).toContain(said);
    }
    await deliverDueMail();
    const outbox = join(portal.dataDir, "outbox");
    const messages = await Promise.all(
      readdirSync(outbox).map((name) => PostalMime.parse(readFileSync(join(outbox, name)))),
    );
    const sent = messages.filter(({ subject }) => subject === `Order SO-${id}: your invoice ${invoice?.number}`);
    expect(sent).toHaveLength(2);
    const kept = Buffer.from(await (await download(invoice?.id ?? 0)).arrayBuffer());
    for (const { attachments } of sent) {
      expect(attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
        [`${invoice?.number}.pdf`, "application/pdf"],
      ]);
      expect(Buffer.from(attachments[0]?.content as ArrayBuffer).equals(kept)).toBe(true);
    }
    await credit(id, "Wrong company");
    const notes = (await invoiceMailsOf(id)).filter(({ sentAt }) => sentAt === null);
    expect(notes).toHaveLength(2);
    for (const { text } of notes) expect(text).toContain(`It cancels invoice ${invoice?.number}.`);
  });

  test("[MAI-01] is one message when both addresses are equal, whatever the case", async () => {
    const id = await order({ invoiceAddress: { email: people.customer.email.toUpperCase() } });
    await issue(id);
    expect((await invoiceMailsOf(id)).map(({ recipient }) => recipient)).toEqual([people.customer.email]);
  });
});

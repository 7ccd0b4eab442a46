import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { makeMissingFiles } from "~/domain/orders/invoices/invoice-file.service.server";
import { issueDueInvoice } from "~/domain/orders/invoices/issue-invoice.server";
import { paths } from "~/lib/paths";
import * as codesPage from "~/routes/home.codes";
import * as detailsPage from "~/routes/home.certificate-details.$id";
import * as file from "~/routes/home.invoice.$id";
import * as orderPage from "~/routes/home.sale-orders_.details";
import * as invoicePage from "~/routes/home.sale-orders_.details_.invoice";
import { getDb } from "~db/connection.server";
import { inTransaction } from "~db/transaction.server";
import { invoiceMailsOf, issueCertificate, setCertificate } from "../support/certificates";
import { createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { COUNTRY, countedTo, createInvoiceableOrder, invoicesOf, numbersGiven } from "../support/invoices";
import { pdfText } from "../support/pdf";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { auditOfSale, saleFields, saleOf as sale, saveSale } from "../support/sales-orders";
import { errorsOf, run, signedInAs } from "../support/visitor";

const portal = usePortal();
const people = usePeople();

const TODAY = () => new Date().toISOString().slice(0, 10);
const actor = systemActor("test");

const order = (given: Parameters<typeof createInvoiceableOrder>[1] = {}) =>
  createInvoiceableOrder(people.customer, given);

const issue = (orderId: number, now = new Date()) => inTransaction((trx) => issueDueInvoice(trx, orderId, actor, now));

const act = async (orderId: number, fields: Record<string, string>, who = people.admin) =>
  run(invoicePage.action, await who.visitor.post(paths.saleOrderInvoice(orderId), fields));

const credit = async (orderId: number, reason: string) => {
  const invoice = (await invoicesOf(orderId)).at(-1);
  return act(orderId, { intent: "credit", invoice: String(invoice?.id), reason });
};

const download = (id: number, who = people.customer) =>
  run(file.loader, who.visitor.get(paths.invoice(id)), { id: String(id) });

const auditsOf = (orderId: number) =>
  getDb()
    .selectFrom("auditEntries")
    .select(["event", "message", "actorName", "reference"])
    .where("orderId", "=", orderId)
    .where("event", "like", "invoice.%")
    .orderBy("id")
    .execute();

describe("[SAL-05] an order that was paid before its invoice", () => {
  const textOf = async (orderId: number) => {
    await issue(orderId);
    const [invoice] = await invoicesOf(orderId);
    return pdfText(new Uint8Array(await (await download(invoice?.id ?? 0)).arrayBuffer()));
  };

  test("[SAL-05] says when it was paid, and not what is to be paid", async () => {
    const paid = await textOf(await order({ status: "Paid", paymentDate: new Date("2026-04-02T00:00:00Z") }));
    expect(paid).toContain("Paid on 02/04/2026.");
    expect(paid).not.toContain("Total to pay");
    const open = await textOf(await order());
    expect(open).toContain("Total to pay");
    expect(open).not.toContain("Paid on");
  });
});

describe("the invoice of a certificate", () => {
  test("[SAL-05] [CER-06] is issued with the certificate: numbered, recorded, audited, and downloaded by its owner", async () => {
    const { id, orderId, commonName } = await issueCertificate({ customer: people.customer });
    const [invoice, ...others] = await invoicesOf(orderId);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      kind: "invoice",
      content: {
        buyer: { company: people.customer.company },
        orderNumber: `SO-${orderId}`,
        purchaseOrderNumber: "PO-7",
        netCents: 29_000,
        vatCents: 5_800,
        totalCents: 34_800,
      },
    });
    expect(invoice?.content.lines).toEqual([
      {
        description: "Digital certificate, 2 years",
        detail: expect.stringContaining(commonName) as string,
        quantity: 1,
        unitCents: 29_000,
        netCents: 29_000,
      },
    ]);
    expect(await sale(orderId)).toMatchObject({
      status: "Invoiced",
      invoiceNumber: invoice?.number,
      invoiceCents: 34_800,
      invoiceDate: `${TODAY()}T00:00:00.000Z`,
    });
    expect((await auditsOf(orderId)).map(({ message }) => message)).toEqual([
      `Invoice ${invoice?.number} of €348.00 was issued for order SO-${orderId}.`,
    ]);
    const path = `/home/certificate-details/${id}`;
    const { html } = await openPage(detailsPage, people.customer.visitor, path, { params: { id: String(id) } });
    expect(html).toMatch(new RegExp(`href="${paths.invoice(invoice?.id ?? 0)}"[^>]*>Download Invoice<`));
    const answer = await download(invoice?.id ?? 0);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/pdf");
    expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="${invoice?.number}.pdf"`);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });

  test("[CER-06] no Download Invoice in a state that has none, nor for a certificate that was free", async () => {
    const { id } = await issueCertificate({ customer: people.customer });
    const shown = async () =>
      (
        await openPage(detailsPage, people.customer.visitor, `/home/certificate-details/${id}`, {
          params: { id: String(id) },
        })
      ).html;
    expect(await shown()).toContain("Download Invoice");
    await setCertificate(id, { status: "Pending" });
    expect(await shown()).not.toContain("Download Invoice");
  });

  test("[SAL-05] is for the owner and for administrators; others find nothing", async () => {
    const { orderId } = await issueCertificate({ customer: people.customer });
    const [invoice] = await invoicesOf(orderId);
    expect((await download(invoice?.id ?? 0, people.admin)).status).toBe(200);
    expect((await download(invoice?.id ?? 0, people.stranger)).status).toBe(404);
    expect((await download(2_147_483_647)).status).toBe(404);
  });
});

describe("the invoice of codes", () => {
  test("[SAL-05] is issued when staff ask for it, after a page that shows it; twice at once it is one", async () => {
    const id = await order();
    const page = await openPage(orderPage, people.admin.visitor, paths.saleOrder(id));
    expect(page.html).toContain(`href="${paths.saleOrderInvoice(id)}"`);
    const { html } = await openPage(invoicePage, people.admin.visitor, paths.saleOrderInvoice(id));
    expect(html).toContain(`Are you sure you wish to issue the invoice for order SO-${id}?`);
    for (const shown of ["Example Parts Ltd", "OSCAR Code Basic", "€900.00", "€180.00", "€1,080.00", "GB123456789"])
      expect(html).toContain(shown);
    expect(await invoicesOf(id)).toEqual([]);

    const answers = await Promise.all([act(id, { intent: "issue" }), act(id, { intent: "issue" })]);
    for (const answer of answers)
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.saleOrder(id)]);
    const [invoice, ...others] = await invoicesOf(id);
    expect(others).toEqual([]);
    expect(await sale(id)).toMatchObject({ status: "Invoiced", invoiceNumber: invoice?.number, invoiceCents: 108_000 });
    expect(await auditsOf(id)).toEqual([
      expect.objectContaining({ event: "invoice.issued", actorName: people.admin.email, reference: invoice?.number }),
    ]);
    const after = await openPage(orderPage, people.admin.visitor, paths.saleOrder(id));
    expect(after.html).toContain(invoice?.number);
    expect(after.html).toContain(`href="${paths.invoice(invoice?.id ?? 0)}"`);
  });

  test("[COD-01] the orders grid has the column Download Invoice, for orders that have one", async () => {
    const owner = await createUser();
    const [id, open] = [await createInvoiceableOrder(owner), await createInvoiceableOrder(owner)];
    await issue(id);
    const [invoice] = await invoicesOf(id);
    const { html } = await openPage(codesPage, await signedInAs(owner), paths.codes);
    expect(html).toMatch(/<th[^>]*>Download Invoice/);
    expect(html).toContain(`href="${paths.invoice(invoice?.id ?? 0)}"`);
    expect(html).toContain(`the invoice of order SO-${id}`);
    expect(html).not.toContain(`the invoice of order SO-${open}`);
  });

  test("[SAL-05] Invoiced without a number issues it, Cancelled credits it", async () => {
    const id = await order();
    const staff = people.admin.visitor;
    const lastChange = async () => (await auditOfSale(id)).at(-1)?.message;
    const invoiced = await saleFields(id, { status: "Invoiced" });
    const send = async (fields: Record<string, string>) =>
      (await run(orderPage.action, await staff.post(paths.saleOrder(id), fields))).status;
    expect(await send(invoiced)).toBe(303);
    expect(await lastChange()).toMatch(/^Status: Open → Invoiced\. Invoice INV-\d{4}-\d{5}\.$/);
    expect(await send(invoiced)).toBe(303); // the same form sent again
    expect(await invoicesOf(id)).toHaveLength(1);
    const cancelled = await saleFields(id, { status: "Cancelled", remarks: "Ordered twice" });
    expect(await send(cancelled)).toBe(303);
    expect(await lastChange()).toMatch(/Credit note CN-\d{4}-\d{5}\.$/);
    expect(await send(cancelled)).toBe(303);
    expect((await invoicesOf(id)).map(({ kind, content }) => [kind, content.credits?.reason])).toEqual([
      ["invoice", undefined],
      ["credit-note", "Ordered twice"],
    ]);
    expect(await sale(id)).toMatchObject({ status: "Cancelled", invoiceNumber: null, invoiceCents: null });
  });

  test.each([
    ["cancelled", { status: "Cancelled" as const }, "The sales order is cancelled: it gets no invoice."],
    ["free", { netCents: 0, vatCents: 0, totalCents: 0 }, "Nothing is to be paid for this order: it gets no invoice."],
    [
      "invoiced by hand",
      { invoiceNumber: "2025-17" },
      "Invoice 2025-17 was recorded by hand. Take its number away before the portal issues one.",
    ],
  ])("[SAL-05] an order that is %s gets none, and its page says why", async (_, given, message) => {
    const id = await order(given);
    expect(await issue(id)).toBeNull();
    const answer = await act(id, { intent: "issue" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.saleOrder(id)]);
    expect(await invoicesOf(id)).toEqual([]);
    expect((await openPage(orderPage, people.admin.visitor, paths.saleOrder(id))).html).toContain(message);
    const asked = await run(invoicePage.loader, people.admin.visitor.get(paths.saleOrderInvoice(id)));
    expect(asked.headers.get("Location")).toBe(paths.saleOrder(id));
  });

  test("[SAL-05] without an order there is nothing to invoice", async () => {
    for (const query of ["", "?order=0", "?order=x", "?order=2147483647"]) {
      const answer = await run(
        invoicePage.loader,
        people.admin.visitor.get(`/home/sale-orders/details/invoice${query}`),
      );
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, paths.codes]);
    }
  });
});

describe("what an invoice says", () => {
  const textOf = async (orderId: number) => {
    const [invoice] = await invoicesOf(orderId);
    return pdfText(new Uint8Array(await (await download(invoice?.id ?? 0)).arrayBuffer()));
  };

  test("[SAL-05] Great Britain: VAT, and the amounts in sterling with the rate's day and source", async () => {
    const id = await order({ purchaseOrderNumber: "PO-4711" });
    await issue(id);
    const text = await textOf(id);
    const [invoice] = await invoicesOf(id);
    for (const said of [
      invoice?.number ?? "",
      "Example Association Limited",
      "VAT number GB123456789",
      "Example Parts Ltd",
      "Anna Müller",
      "Coventry CV1 1AA",
      "PO-4711",
      `SO-${id}`,
      "OSCAR Code Basic",
      "€300.00",
      "VAT (20%)",
      "€1,080.00",
      "£783.00",
      "£156.60",
      "£939.60",
      "at £0.87 for €1 (example rate, 01/11/2026)",
      "Page 1 of 1",
    ])
      expect(text).toContain(said);
    expect(text).not.toMatch(/undefined|null|NaN/);
  });

  test.each([
    ["Germany", COUNTRY.DE, "Reverse charge: the customer accounts for the VAT."],
    ["the United States", COUNTRY.US, "Outside the scope of UK VAT."],
  ])("[SAL-05] %s: no VAT and why, no sterling", async (_, countryId, note) => {
    const id = await order({ countryId, vatRate: 0, vatCents: 0, totalCents: 90_000, vatNumber: "DE123456789" });
    await issue(id);
    const text = await textOf(id);
    for (const said of [note, "VAT (0%) €0.00", "€900.00", "VAT number DE123456789"]) expect(text).toContain(said);
    expect(text).not.toContain("£");
  });

  test("[SAL-05] [SAL-04] yearly maintenance, code by code", async () => {
    const codes = [await createCode(people.customer), await createCode(people.customer)];
    const id = await order({ isMaintenance: true, codeType: null, numberOfCodes: null });
    await getDb()
      .insertInto("maintenanceOrders")
      .values({ year: 2031, userId: people.customer.id, orderId: id })
      .execute();
    const charges = [
      { subcodes: '["01","02"]', costCents: 60_000, discountNumMonths: 0 },
      { subcodes: "[]", costCents: 30_000, discountNumMonths: 1 },
    ];
    for (const [index, charge] of charges.entries()) {
      const { id: codeId, code } = codes[index] ?? { id: 0, code: "" };
      await getDb()
        .insertInto("orderLines")
        .values({ orderId: id, codeId, code: `${code}00`, codeType: "Full", ...charge })
        .execute();
    }
    await issue(id);
    expect((await invoicesOf(id))[0]?.content.lines).toEqual([
      {
        description: `Yearly maintenance 2031 of OSCAR Code Full ${codes[0]?.code}00`,
        detail: "with 2 sub-codes: 01, 02",
        quantity: 1,
        unitCents: 60_000,
        netCents: 60_000,
      },
      {
        description: `Yearly maintenance 2031 of OSCAR Code Full ${codes[1]?.code}00`,
        detail: "1 month not charged",
        quantity: 1,
        unitCents: 30_000,
        netCents: 30_000,
      },
    ]);
  });

  test("[SAL-05] it is a snapshot: what the account, the order or the code becomes later changes nothing", async () => {
    const id = await order();
    await issue(id);
    const before = await textOf(id);
    await getDb()
      .updateTable("orders")
      .set({ company: "Renamed Ltd", purchaseOrderNumber: "X" })
      .where("id", "=", id)
      .execute();
    expect(await textOf(id)).toBe(before);
  });

  test.each(["update", "delete"])("[SAL-05] the database refuses to %s an invoice or its PDF", async (change) => {
    const id = await order();
    await issue(id);
    await makeMissingFiles();
    const [invoice] = await invoicesOf(id);
    const attempts =
      change === "update"
        ? [
            getDb().updateTable("invoices").set({ totalCents: 1 }).where("orderId", "=", id).execute(),
            getDb()
              .updateTable("invoiceFiles")
              .set({ sha256: "" })
              .where("invoiceId", "=", invoice?.id ?? 0)
              .execute(),
          ]
        : [
            getDb().deleteFrom("invoices").where("orderId", "=", id).execute(),
            getDb()
              .deleteFrom("invoiceFiles")
              .where("invoiceId", "=", invoice?.id ?? 0)
              .execute(),
          ];
    for (const attempt of attempts) await expect(attempt).rejects.toThrow(/are never changed/);
  });

  test("[SAL-05] a PDF that is not the one that was stored is not handed out", async () => {
    const id = await order();
    await issue(id);
    const [invoice] = await invoicesOf(id);
    const forged = {
      invoiceId: invoice?.id ?? 0,
      pdf: Buffer.from("%PDF forged"),
      sha256: "0".repeat(64),
      storedAt: new Date(),
    };
    await getDb().insertInto("invoiceFiles").values(forged).execute();
    await expect(download(invoice?.id ?? 0)).rejects.toThrow(/is not the one that was stored/);
  });
});

describe("credit notes", () => {
  test("[SAL-05] cancel the invoice with a reason; another invoice can follow, with the next number", async () => {
    const id = await order();
    await issue(id);
    const [first] = await invoicesOf(id);
    const { html } = await openPage(invoicePage, people.admin.visitor, paths.saleOrderInvoice(id));
    expect(html).toContain(`Are you sure you wish to cancel invoice ${first?.number} of €1,080.00 by a credit note?`);
    const answer = await credit(id, "Wrong <b>company</b>");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.saleOrder(id)]);
    const [, note] = await invoicesOf(id);
    expect(note?.content).toMatchObject({
      kind: "credit-note",
      totalCents: 108_000,
      credits: { number: first?.number, issuedAt: first?.content.issuedAt, reason: "Wrong company" },
    });
    expect(await sale(id)).toMatchObject({
      status: "Open",
      invoiceNumber: null,
      invoiceCents: null,
      invoiceDate: null,
    });
    expect((await auditsOf(id)).at(-1)?.message).toBe(
      `Credit Note ${note?.number} of €1,080.00 was issued for invoice ${first?.number}: Wrong company`,
    );
    const text = pdfText(new Uint8Array(await (await download(note?.id ?? 0)).arrayBuffer()));
    for (const said of [
      "Credit Note",
      note?.number ?? "",
      `cancels invoice ${first?.number}`,
      "Reason: Wrong company",
      "Total credited",
    ])
      expect(text).toContain(said);

    await act(id, { intent: "issue" });
    const [, , second] = await invoicesOf(id);
    expect(second?.kind).toBe("invoice");
    expect(second?.number).not.toBe(first?.number);
    expect((await sale(id)).invoiceNumber).toBe(second?.number);
    // The form of the first invoice, sent again, must not cancel the second.
    await act(id, { intent: "credit", invoice: String(first?.id), reason: "Again" });
    expect(await invoicesOf(id)).toHaveLength(3);
  });

  test("[SAL-05] a paid order stays paid, and two at once are one", async () => {
    const id = await order({ status: "Paid" });
    await issue(id);
    await Promise.all([credit(id, "One"), credit(id, "Two")]);
    expect((await invoicesOf(id)).map(({ kind }) => kind)).toEqual(["invoice", "credit-note"]);
    expect((await sale(id)).status).toBe("Paid");
  });

  test.each([
    ["", "This field is required."],
    ["   ", "This field is required."],
    ["<b></b>", "Markup is not allowed."],
    ["x".repeat(501), "Entered value is not valid."],
  ])("[SAL-05] the reason %j is refused, and what was typed stays", async (reason, message) => {
    const id = await order();
    await issue(id);
    const { status, errors } = await errorsOf(await credit(id, reason));
    expect({ status, errors }).toEqual({ status: 422, errors: { reason: message } });
    expect(await invoicesOf(id)).toHaveLength(1);
  });

  test.each(["x".repeat(500), "🚗 سبب", "=1+1"])("[SAL-05] the reason %j is taken as it is", async (reason) => {
    const id = await order();
    await issue(id);
    expect((await credit(id, reason)).status).toBe(303);
    expect((await invoicesOf(id))[1]?.content.credits?.reason).toBe(reason);
  });
});

describe("numbers", () => {
  test("[SAL-05] begin anew with the year in UTC, have no gap when an issue fails half-way, and go on after a clock that jumped", async () => {
    const at = async (moment: string) => {
      const id = await order();
      return (await issue(id, new Date(moment)))?.number;
    };
    expect(await at("2040-12-31T23:59:59.999Z")).toBe("INV-2040-00001");
    expect(await at("2041-01-01T00:00:00.000Z")).toBe("INV-2041-00001");
    expect(await at("2040-12-31T12:00:00.000Z")).toBe("INV-2040-00002");
    const id = await order();
    const failing = inTransaction(async (trx) => {
      expect((await issueDueInvoice(trx, id, actor, new Date("2041-06-01T00:00:00Z")))?.number).toBe("INV-2041-00002");
      throw new Error("The disk is full.");
    });
    await expect(failing).rejects.toThrow("The disk is full.");
    expect(await invoicesOf(id)).toEqual([]);
    expect(await sale(id)).toMatchObject({ status: "Open", invoiceNumber: null });
    expect(await at("2041-06-02T00:00:00.000Z")).toBe("INV-2041-00002");
    expect(await numbersGiven("invoice", 2041)).toEqual(countedTo(2));
    expect(await numbersGiven("credit-note", 2041)).toEqual([]);
  });

  test("[SAL-05] what staff record by hand leaves the portal's invoices and numbers alone", async () => {
    const id = await order();
    const save = (fields: Record<string, string>) => saveSale(people.admin.visitor, id, fields);
    const free = await errorsOf(await save({ invoiceNumber: "INV-2026-00099", invoiceDate: "2026-11-01" }));
    expect(free.errors).toEqual({
      invoiceNumber: "Numbers of this kind are given by the portal: issue the invoice instead.",
    });
    await issue(id);
    const { invoiceNumber } = await sale(id);
    const refused = await errorsOf(await save({ invoiceNumber: "17", invoiceDate: "2026-11-01" }));
    expect(refused.errors).toEqual({
      invoiceNumber: "The portal issued this invoice: number, total and date stay. A credit note cancels it.",
    });
    expect((await errorsOf(await save({ invoiceTotal: "1.00" }))).errors).toEqual(refused.errors);
    expect((await save({ status: "Paid", paymentDate: TODAY() })).status).toBe(303);
    expect(await sale(id)).toMatchObject({ status: "Paid", invoiceNumber });
  });
});

describe("the invoice's message", () => {
  test("[MAI-01] [SAL-05] goes to the owner and to the invoice address, with the PDF", async () => {
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

  test("[MAI-01] one message when both are the same address, whatever its letters", async () => {
    const id = await order({ invoiceAddress: { email: people.customer.email.toUpperCase() } });
    await issue(id);
    expect((await invoiceMailsOf(id)).map(({ recipient }) => recipient)).toEqual([people.customer.email]);
  });
});

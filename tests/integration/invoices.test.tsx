import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as codesPage from "~/routes/home.codes/route";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import * as invoicePage from "~/routes/home.sale-orders_.details_.invoice/route";
import { issueCertificate, setCertificate } from "../support/certificates";
import { createUser } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { pageText, select, textsOf } from "../support/page";
import { pdfText } from "../support/pdf";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { auditOfSale, saleFields, saleOf as sale } from "../support/sales-orders";
import { run, signedInAs } from "../support/visitor";
import { auditsOf, issue, TODAY, useInvoicing } from "./invoicing";

usePortal();
const { people, act, order, download } = useInvoicing();

describe("[SAL-05] the invoice of an order that was paid before", () => {
  const textOf = async (orderId: number) => {
    await issue(orderId);
    const [invoice] = await invoicesOf(orderId);
    return pdfText(new Uint8Array(await (await download(invoice?.id ?? 0)).arrayBuffer()));
  };

  test("[SAL-05] shows the payment date and no amount to pay", async () => {
    const paid = await textOf(await order({ status: "Paid", paymentDate: new Date("2026-04-02T00:00:00Z") }));
    expect(paid).toContain("Paid on 02/04/2026.");
    expect(paid).not.toContain("Total to pay");
    const open = await textOf(await order());
    expect(open).toContain("Total to pay");
    expect(open).not.toContain("Paid on");
  });
});

describe("the invoice of a certificate", () => {
  test("[SAL-05] [CER-06] is issued with the certificate: numbered, recorded, audited, and available to its owner", async () => {
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
    expect(textsOf(html, `a[href="${paths.invoice(invoice?.id ?? 0)}"]`)).toEqual(["Download Invoice"]);
    const answer = await download(invoice?.id ?? 0);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/pdf");
    expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="${invoice?.number}.pdf"`);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });

  test("[CER-06] has no Download Invoice in a state without one or for a free certificate", async () => {
    const { id } = await issueCertificate({ customer: people.customer });
    const shown = async () =>
      (
        await openPage(detailsPage, people.customer.visitor, `/home/certificate-details/${id}`, {
          params: { id: String(id) },
        })
      ).html;
    expect(pageText(await shown())).toContain("Download Invoice");
    await setCertificate(id, { status: "Pending" });
    expect(await shown()).not.toContain("Download Invoice");
  });

  test("[SAL-05] is for the owner and administrators; others get not found", async () => {
    const { orderId } = await issueCertificate({ customer: people.customer });
    const [invoice] = await invoicesOf(orderId);
    expect((await download(invoice?.id ?? 0, people.admin)).status).toBe(200);
    expect((await download(invoice?.id ?? 0, people.stranger)).status).toBe(404);
    expect((await download(2_147_483_647)).status).toBe(404);
  });
});

describe("the invoice of codes", () => {
  test("[SAL-05] is issued when staff request it after a preview; twice at once issues one", async () => {
    const id = await order();
    const page = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id));
    expect(select(page.html, `a[href="${rarePaths.salesOrderInvoice(id)}"]`)).toHaveLength(1);
    const { html } = await openPage(invoicePage, people.admin.visitor, rarePaths.salesOrderInvoice(id));
    const text = pageText(html);
    expect(text).toContain(`Are you sure you wish to issue the invoice for order SO-${id}`);
    for (const shown of ["Example Parts Ltd", "OSCAR Code Basic", "€900.00", "€180.00", "€1,080.00", "GB123456789"])
      expect(text).toContain(shown);
    expect(await invoicesOf(id)).toEqual([]);

    const answers = await Promise.all([act(id, { intent: "issue" }), act(id, { intent: "issue" })]);
    for (const answer of answers)
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.salesOrder(id)]);
    const [invoice, ...others] = await invoicesOf(id);
    expect(others).toEqual([]);
    expect(await sale(id)).toMatchObject({ status: "Invoiced", invoiceNumber: invoice?.number, invoiceCents: 108_000 });
    expect(await auditsOf(id)).toEqual([
      expect.objectContaining({ event: "invoice.issued", actorName: people.admin.email, reference: invoice?.number }),
    ]);
    const after = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id));
    expect(pageText(after.html)).toContain(invoice?.number);
    expect(select(after.html, `a[href="${paths.invoice(invoice?.id ?? 0)}"]`)).toHaveLength(1);
  });

  test("[COD-01] has a column Download Invoice in the orders table", async () => {
    const owner = await createUser();
    const [id, open] = [await createInvoiceableOrder(owner), await createInvoiceableOrder(owner)];
    await issue(id);
    const [invoice] = await invoicesOf(id);
    const { html } = await openPage(codesPage, await signedInAs(owner), paths.codes);
    expect(textsOf(html, "th")).toContain("Download Invoice");
    expect(select(html, `a[href="${paths.invoice(invoice?.id ?? 0)}"]`)).toHaveLength(1);
    expect(textsOf(html, "td a")).toEqual([`Download the invoice of order SO-${id}`]);
    expect(html).not.toContain(`the invoice of order SO-${open}`);
  });

  test("[SAL-05] is issued by Invoiced without a number and credited by Cancelled", async () => {
    const id = await order();
    const staff = people.admin.visitor;
    const lastChange = async () => (await auditOfSale(id)).at(-1)?.message;
    const invoiced = await saleFields(id, { status: "Invoiced" });
    const send = async (fields: Record<string, string>) =>
      (await run(orderPage.action, await staff.post(paths.salesOrder(id), fields))).status;
    const question = "Are you sure you wish to issue the invoice for this order, of €1,080.00 and with today’s date?";
    const unused = "Invoice total and date that were typed without a number are not used.";
    const asks = async (fields: Record<string, string>) =>
      pageText((await openPage(orderPage, staff, paths.salesOrder(id), { fields })).html);
    expect(await asks(invoiced)).toContain(question);
    expect(await asks(invoiced)).not.toContain(unused);
    expect(await asks({ ...invoiced, invoiceTotal: "500.00" })).toContain(`${question} ${unused}`);
    expect(await invoicesOf(id)).toEqual([]);
    const agreed = { ...invoiced, confirmed: "yes" };
    expect(await send(agreed)).toBe(303);
    expect(await lastChange()).toMatch(/^Status: Open → Invoiced\. Invoice INV-\d{4}-\d{5}\.$/);
    expect(await send(agreed)).toBe(303); // the same form sent again
    expect(await invoicesOf(id)).toHaveLength(1);
    const cancelled = await saleFields(id, { status: "Cancelled", remarks: "Ordered twice", confirmed: "yes" });
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
    [
      "free",
      { netCents: 0, vatCents: 0, totalCents: 0 },
      "There is nothing to pay for this order: it gets no invoice.",
    ],
    [
      "invoiced by hand",
      { invoiceNumber: "2025-17" },
      "Invoice 2025-17 was recorded by hand. Remove its number before the portal issues one.",
    ],
  ])("[SAL-05] is not issued for an order that is %s, and the page says why", async (_, given, message) => {
    const id = await order(given);
    expect(await issue(id)).toBeNull();
    const answer = await act(id, { intent: "issue" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.salesOrder(id)]);
    expect(await invoicesOf(id)).toEqual([]);
    expect(pageText((await openPage(orderPage, people.admin.visitor, paths.salesOrder(id))).html)).toContain(message);
    const asked = await run(invoicePage.loader, people.admin.visitor.get(rarePaths.salesOrderInvoice(id)));
    expect(asked.headers.get("Location")).toBe(paths.salesOrder(id));
  });

  test("[SAL-05] needs an order", async () => {
    for (const query of ["", "?order=0", "?order=x", "?order=2147483647"]) {
      const answer = await run(
        invoicePage.loader,
        people.admin.visitor.get(`/home/sale-orders/details/invoice${query}`),
      );
      expect([answer.status, answer.headers.get("Location")]).toEqual([302, paths.salesOrders]);
    }
  });
});

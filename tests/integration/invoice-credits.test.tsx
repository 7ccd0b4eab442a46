import { describe, expect, test } from "vitest";
import { CREDIT_REASON_REQUIRED, SALES_ORDER_FORM } from "~/domain/orders/sales-order-fields";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import * as invoicePage from "~/routes/home.sale-orders_.details_.invoice/route";
import { getDb } from "~db/connection.server";
import { issueCertificate } from "../support/certificates";
import { COUNTRY, invoicesOf } from "../support/invoices";
import { valueOf } from "../support/page";
import { pdfText } from "../support/pdf";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleFields, saleOf as sale } from "../support/sales-orders";
import { errorsOf, run } from "../support/visitor";
import { auditsOf, issue, useInvoicing } from "./invoicing";

usePortal();
const { people, act, order, credit, download } = useInvoicing();

describe("credit notes", () => {
  test("[SAL-05] cancel the invoice with a reason; another invoice with the next number can follow", async () => {
    const id = await order();
    await issue(id);
    const [first] = await invoicesOf(id);
    const { html } = await openPage(invoicePage, people.admin.visitor, rarePaths.salesOrderInvoice(id));
    expect(html).toContain(`Are you sure you wish to cancel invoice ${first?.number} of €1,080.00 by a credit note?`);
    const answer = await credit(id, "Wrong <b>company</b>");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.salesOrder(id)]);
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
      `Credit note ${note?.number} of €1,080.00 was issued for invoice ${first?.number}: Wrong company`,
    );
    const text = pdfText(new Uint8Array(await (await download(note?.id ?? 0)).arrayBuffer()));
    for (const said of [
      "Credit note",
      note?.number ?? "",
      `cancels invoice ${first?.number}`,
      "Reason: Wrong company",
      "Total credited",
      "The VAT credited is £156.60.",
    ])
      expect(text).toContain(said);
    expect(text).not.toMatch(/ due |to pay|[Pp]ayable|Paid on/);

    await act(id, { intent: "issue" });
    const [, , second] = await invoicesOf(id);
    expect(second?.kind).toBe("invoice");
    expect(second?.number).not.toBe(first?.number);
    expect((await sale(id)).invoiceNumber).toBe(second?.number);
    // The form of the first invoice, sent again, must not cancel the second.
    await act(id, { intent: "credit", invoice: String(first?.id), reason: "Again" });
    expect(await invoicesOf(id)).toHaveLength(3);
  });

  test("[SAL-05] for a reverse charge ask the customer to adjust the VAT, not to account for it", async () => {
    const id = await order({ countryId: COUNTRY.DE, vatRate: 0, vatCents: 0, totalCents: 90_000 });
    await issue(id);
    await credit(id, "Ordered twice");
    const [, note] = await invoicesOf(id);
    const text = pdfText(new Uint8Array(await (await download(note?.id ?? 0)).arrayBuffer()));
    expect(text).toContain("Reverse charge: the customer adjusts the VAT accounted for.");
    expect(text).not.toContain("accounts for");
  });

  test("[SAL-05] leave a paid order paid, and two at once make one", async () => {
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
    ["x".repeat(501), "At most 500 characters; this one has 501."],
  ])("[SAL-05] need another reason than %j, and the typed one is kept", async (reason, message) => {
    const id = await order();
    await issue(id);
    const { status, errors } = await errorsOf(await credit(id, reason));
    expect({ status, errors }).toEqual({ status: 422, errors: { reason: message } });
    expect(await invoicesOf(id)).toHaveLength(1);
  });

  test.each(["x".repeat(500), "🚗 سبب", "=1+1"])("[SAL-05] accept the reason %j unchanged", async (reason) => {
    const id = await order();
    await issue(id);
    expect((await credit(id, reason)).status).toBe(303);
    expect((await invoicesOf(id))[1]?.content.credits?.reason).toBe(reason);
  });
});

describe("[SAL-03] [SAL-05] cancelling an order that has an invoice", () => {
  const send = async (id: number, fields: Record<string, string>) =>
    run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), fields));
  const kinds = async (id: number) => (await invoicesOf(id)).map(({ kind }) => kind);

  test("[SAL-05] asks first and keeps the typed values; the credit note has the remarks", async () => {
    const id = await order({ remarks: "Internal" });
    await issue(id);
    const [invoice] = await invoicesOf(id);
    const typed = await saleFields(id, { status: "Cancelled", remarks: "Ordered <b>twice</b>", promotionCode: "X1" });
    const { html } = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id), { fields: typed });
    expect(html).toContain(
      `Are you sure you wish to cancel this order, and its invoice ${invoice?.number} of €1,080.00 by a credit note? This process cannot be reversed.`,
    );
    for (const [name, value] of Object.entries({ confirmed: "yes", promotionCode: "X1", back: "yes" }))
      expect(valueOf(html, name)).toBe(value);
    expect([(await sale(id)).status, await kinds(id)]).toEqual(["Invoiced", ["invoice"]]);

    const back = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id), {
      fields: { ...typed, confirmed: "yes", back: "yes", __rvfInternalFormId: SALES_ORDER_FORM },
    });
    expect(valueOf(back.html, "promotionCode")).toBe("X1");
    expect([(await sale(id)).status, await kinds(id)]).toEqual(["Invoiced", ["invoice"]]);

    expect((await send(id, { ...typed, confirmed: "yes" })).status).toBe(303);
    expect((await sale(id)).status).toBe("Cancelled");
    expect((await invoicesOf(id))[1]?.content.credits?.reason).toBe("Ordered twice");
  });

  test.each(["", "  ", "Internal"])("[SAL-05] needs a new reason, not %j", async (remarks) => {
    const id = await order({ remarks: "Internal" });
    await issue(id);
    for (const confirmed of ["", "yes"]) {
      const answer = await send(id, await saleFields(id, { status: "Cancelled", remarks, confirmed }));
      expect(await errorsOf(answer)).toMatchObject({ status: 422, errors: { remarks: CREDIT_REASON_REQUIRED } });
    }
    expect([(await sale(id)).status, await kinds(id)]).toEqual(["Invoiced", ["invoice"]]);
  });

  test.each(["Issued", "Downloaded", "RequestRevoke"] as const)(
    "[SAL-05] says in the question that a certificate in the status %s stays valid",
    async (status) => {
      const { id, orderId } = await issueCertificate({ customer: people.customer });
      await getDb().updateTable("certificates").set({ status }).where("id", "=", id).execute();
      const fields = await saleFields(orderId, { status: "Cancelled", remarks: "Not paid" });
      const { html } = await openPage(orderPage, people.admin.visitor, paths.salesOrder(orderId), { fields });
      expect(html).toContain("This process cannot be reversed. Its certificate stays valid until it is revoked.");
    },
  );

  test("[SAL-05] needs no reason when the portal issued no invoice", async () => {
    const id = await order();
    expect((await send(id, await saleFields(id, { status: "Cancelled", confirmed: "yes" }))).status).toBe(303);
    expect((await sale(id)).status).toBe("Cancelled");
  });
});

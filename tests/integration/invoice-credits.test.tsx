import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as invoicePage from "~/routes/home.sale-orders_.details_.invoice";
import { invoicesOf } from "../support/invoices";
import { pdfText } from "../support/pdf";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleOf as sale } from "../support/sales-orders";
import { errorsOf } from "../support/visitor";
import { auditsOf, issue, useInvoicing } from "./invoicing";

usePortal();
const { people, act, order, credit, download } = useInvoicing();

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

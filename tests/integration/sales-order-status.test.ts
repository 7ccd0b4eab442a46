import { describe, expect, test } from "vitest";
import { NOTE_REQUIRED, ORDER_CANCELLED } from "~/domain/orders/sales-order-fields";
import { getSession } from "~/http/session.server";
import { paths } from "~/lib/paths";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { atOneMoment } from "../support/clock";
import { createAdmin } from "../support/factories";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleOf, saveSale, saleFields, auditOfSale, invoice, PAID, useSalesOrders } from "../support/sales-orders";
import { errorsOf, run, signedInAs } from "../support/visitor";

usePortal();
const { order, save, changed, people } = useSalesOrders();

describe("[SAL-03] the status of a saved sales order", () => {
  test("[SAL-03] is Paid when chosen; an empty form records today's payment of the total", async () => {
    await atOneMoment(async (now) => {
      expect(await changed({ status: "Paid" })).toMatchObject({
        status: "Paid",
        paymentCents: 60_000,
        paymentDate: `${now.toISOString().slice(0, 10)}T00:00:00.000Z`,
      });
    });
    const part = { ...invoice(), ...PAID, paymentTotal: "12.5" };
    expect(await changed(part)).toMatchObject({ status: "Paid", paymentCents: 1250 });
  });

  test.each(["Open", "Invoiced", "Cancelled"])(
    "[SAL-03] is Invoiced with number, total and date, although %s is chosen",
    async (status) => {
      expect(await changed({ status, ...invoice() })).toMatchObject({ status: "Invoiced", invoiceCents: 60_000 });
    },
  );

  test("[SAL-03] that differs from the chosen one is reported with what has to be removed", async () => {
    const id = await order();
    await save(id, invoice());
    const visitor = await signedInAs(await createAdmin());
    visitor.follow(await saveSale(visitor, id, { status: "Cancelled" }));
    expect((await getSession(visitor.get("/"))).get("toast")).toEqual({
      kind: "warn",
      text: "The sales order has been saved. Its status is Invoiced. It has an invoice number, total and date: remove them to choose another status than Invoiced or Paid.",
    });
  });

  test.each([
    { invoiceNumber: "" },
    { invoiceNumber: "   " },
    { invoiceTotal: "" },
    { invoiceTotal: "0" },
    { invoiceTotal: "-600" },
    { invoiceDate: "" },
    { invoiceDate: "0001-01-01" },
  ])("[SAL-03] is otherwise the chosen one: %j", async (missing) => {
    for (const status of ["Open", "Invoiced"])
      expect((await changed({ status, ...invoice(), ...missing })).status).toBe(status);
  });

  test("[SAL-03] is Invoiced for one cent", async () => {
    expect((await changed({ ...invoice(), invoiceTotal: "0.01" })).status).toBe("Invoiced");
  });

  test("[SAL-03] that leaves Paid needs a new note and clears the payment", async () => {
    const id = await order({ remarks: "Called the customer" });
    await save(id, { ...invoice(), ...PAID });
    for (const remarks of ["Called the customer", "", "  "]) {
      const { errors } = await errorsOf(await save(id, { status: "Open", remarks }));
      expect(errors).toEqual({ remarks: NOTE_REQUIRED });
    }
    expect((await saleOf(id)).status).toBe("Paid");
    const taken = await saleFields(id, { status: "Open", remarks: "The bank took it back", confirmed: "yes" });
    const send = async () => run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), taken));
    expect((await send()).status).toBe(303);
    expect(await saleOf(id)).toMatchObject({ status: "Invoiced", paymentCents: null, paymentDate: null });
    expect((await send()).status).toBe(303);
    expect(await auditOfSale(id)).toHaveLength(2);
  });

  /** Sends the form of an order's page. Returns the HTML that a browser without scripts gets. */
  const asked = async (id: number, fields: Record<string, string>) =>
    (await openPage(orderPage, people.admin.visitor, paths.salesOrder(id), { fields: await saleFields(id, fields) }))
      .html;
  const CANCEL_QUESTION = "Are you sure you wish to cancel this order? This process cannot be reversed.";

  test("[SAL-03] [GEN-04] is set to Cancelled for an open order only after a question", async () => {
    const id = await order();
    const before = await saleOf(id);
    const html = await asked(id, { status: "Cancelled", promotionCode: "X1" });
    expect(pageText(html)).toContain(CANCEL_QUESTION);
    expect(textsOf(html, ".narrow li")).toEqual([
      "The customer is notified by email: No codes become available. There is nothing to pay.",
    ]);
    expect([valueOf(html, "confirmed"), valueOf(html, "status"), valueOf(html, "promotionCode")]).toEqual([
      "yes",
      "Cancelled",
      "X1",
    ]);
    expect(await saleOf(id)).toEqual(before);
    expect(await auditOfSale(id)).toEqual([]);
  });

  test("[SAL-03] [CPO-04] is set to Cancelled for a paid order after a question that says what happens to codes and money", async () => {
    const id = await order();
    await save(id, PAID);
    const html = await asked(id, { status: "Cancelled", remarks: "Ordered twice" });
    expect(pageText(html)).toContain(CANCEL_QUESTION);
    expect(textsOf(html, ".narrow li")).toEqual([
      "The customer is notified by email: 2 × OSCAR Code Basic: these codes cannot be registered any more. The payment of €600.00 of 05/11/2026 will be paid back. Reason: Ordered twice",
    ]);
    expect((await saleOf(id)).status).toBe("Paid");
    expect(await auditOfSale(id)).toHaveLength(1);
  });

  test.each([
    [{ ...PAID, paymentTotal: "1.00" }, ["Payment total: €1.00 is not the order total of €600.00."]],
    [{ ...PAID, paymentTotal: "-5" }, ["Payment total: €0.00 is not the order total of €600.00."]],
    [{ paymentTotal: "599.99" }, ["Payment total: €599.99 is not the order total of €600.00."]],
    [{ invoiceTotal: "6000" }, ["Invoice total: €6,000.00 is not the order total of €600.00."]],
    [
      { ...PAID, invoiceTotal: "0", paymentTotal: "1" },
      [
        "Invoice total: €0.00 is not the order total of €600.00.",
        "Payment total: €1.00 is not the order total of €600.00.",
      ],
    ],
  ])(
    "[SAL-03] [GEN-04] is saved with an amount that differs from the total only after a question: %j",
    async (fields, told) => {
      const id = await order();
      const before = await saleOf(id);
      const html = await asked(id, fields);
      expect(textsOf(html, ".narrow li")).toEqual(told);
      expect(await saleOf(id)).toEqual(before);
      expect((await save(id, fields)).status).toBe(303);
      // The page does not ask again about the amount that was confirmed.
      const again = await saleFields(id, { remarks: "Called the customer" });
      expect((await run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), again))).status).toBe(
        303,
      );
    },
  );

  test("[SAL-03] is saved without a question for a payment of the total, and with one when an order with a part payment becomes Paid", async () => {
    const id = await order();
    const send = async (fields: Record<string, string>) =>
      run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), await saleFields(id, fields)));
    expect((await send({ ...PAID, paymentTotal: "600" })).status).toBe(303);
    const part = await order();
    await save(part, { paymentTotal: "300" });
    expect(textsOf(await asked(part, PAID), ".narrow li")).toEqual([
      "Payment total: €300.00 is not the order total of €600.00.",
    ]);
  });

  test("[SAL-03] is final when Cancelled, and the page shows no form any more", async () => {
    const id = await order({ remarks: "Ordered twice" });
    const before = await saleFields(id);
    expect((await save(id, { status: "Cancelled" })).status).toBe(303);
    const later: Record<string, string>[] = [PAID, { status: "Open" }, { remarks: "again" }];
    for (const fields of later) {
      const { errors } = await errorsOf(await save(id, fields));
      expect(errors).toEqual({ form: ORDER_CANCELLED });
    }
    const { errors } = await errorsOf(
      await run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), before)),
    );
    expect(errors).toEqual({ form: ORDER_CANCELLED });
    const { html } = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id));
    expect(pageText(html)).toContain(ORDER_CANCELLED);
    expect(pageText(html)).toContain("Ordered twice");
    expect(select(html, '[name="status"]')).toHaveLength(0);
  });
});

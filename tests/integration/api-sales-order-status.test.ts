import { beforeAll, describe, expect, test } from "vitest";
import { CREDIT_REASON_REQUIRED, NOTE_REQUIRED, ORDER_CANCELLED } from "~/domain/orders/sales-order-fields";
import { type ApiClient, apiClientOf, newProgram } from "../support/api";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { usePortal } from "../support/portal";

usePortal();

const NO_DATE = "0001-01-01T00:00:00";
const today = () => `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;

let user: Awaited<ReturnType<typeof newProgram>>["user"];
let customer: ApiClient;
let staff: ApiClient;
beforeAll(async () => {
  ({ user, client: customer } = await newProgram());
  staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
});

const update = (body: object) => staff.post<Record<string, unknown>>("codes/updateSalesOrder", body);
const order = () => createInvoiceableOrder(user);

describe("updateSalesOrder as the API reference describes it", () => {
  test("[API-03] [SAL-03] Invoiced without a number issues the portal's invoice, which cannot be changed by hand", async () => {
    const id = await order();
    const invoiced = await update({ id, status: "Invoiced" });
    const [invoice] = await invoicesOf(id);
    expect(invoiced.content).toMatchObject({
      orderStatus: "Invoiced",
      invoiceNumber: invoice?.number,
      invoiceTotal: 1080,
      invoiceDate: today(),
    });
    expect(await update({ id, invoiceTotal: 5 })).toMatchObject({
      status: 422,
      code: "invoice.by-hand",
      errors: { invoiceNumber: expect.any(String) as string },
    });
    expect(await update({ id: await order(), invoiceNumber: "INV-2026-09999" })).toMatchObject({
      status: 422,
      code: "invoice.by-hand",
      errors: { invoiceNumber: expect.any(String) as string },
    });
  });

  test("[API-03] [SAL-03] Cancelled credits the portal's invoice with new remarks and is final", async () => {
    const id = await order();
    await update({ id, status: "Invoiced" });
    expect(await update({ id, status: "Cancelled" })).toMatchObject({
      status: 422,
      code: "invoice.credit-reason",
      errors: { remarks: CREDIT_REASON_REQUIRED },
    });
    expect((await update({ id, status: "Cancelled", remarks: "Ordered twice" })).content).toMatchObject({
      orderStatus: "Cancelled",
      invoiceNumber: "",
      invoiceTotal: null,
    });
    expect((await invoicesOf(id)).map(({ kind }) => kind).sort()).toEqual(["credit-note", "invoice"]);
    expect(await update({ id, remarks: "More" })).toMatchObject({
      status: 422,
      code: "order.update",
      text: ORDER_CANCELLED,
    });
  });

  test("[API-03] [SAL-03] Paid takes the total and today as its payment; leaving Paid clears it and needs new remarks", async () => {
    const id = await order();
    expect((await update({ id, status: "Paid" })).content).toMatchObject({
      orderStatus: "Paid",
      paymentTotal: 1080,
      paymentDate: today(),
    });
    const available = async () =>
      (await customer.get<{ quantity: number }[]>("codes/getcodesavailable")).content.length;
    expect(await available()).toBe(1);
    expect(await update({ id, status: "Open" })).toMatchObject({
      status: 422,
      code: "order.update",
      errors: { remarks: NOTE_REQUIRED },
    });
    expect((await update({ id, status: "Open", remarks: "Bounced", paymentTotal: 7 })).content).toMatchObject({
      orderStatus: "Open",
      paymentTotal: null,
      paymentDate: NO_DATE,
    });
    expect(await available()).toBe(0);
  });

  test("[API-06] [SAL-03] an invoice number belongs to one order", async () => {
    const [first, second] = [await order(), await order()];
    expect((await update({ id: first, invoiceNumber: "R-77" })).status).toBe(200);
    expect(await update({ id: second, invoiceNumber: "R-77" })).toMatchObject({
      status: 422,
      code: "order.update",
      errors: { invoiceNumber: expect.any(String) as string },
    });
  });
});

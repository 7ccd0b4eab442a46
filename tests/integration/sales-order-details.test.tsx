import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { SALES_ORDER_FORM } from "~/domain/orders/sales-order-fields";
import { paths } from "~/lib/paths";
import * as orderPage from "~/routes/home.sale-orders_.details/route";
import { toastOf } from "../support/code-details";
import { createAdmin } from "../support/factories";
import { labelsOf, pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleOf, saleFields, auditOfSale, invoice, PAID, useSalesOrders } from "../support/sales-orders";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { order, save, people } = useSalesOrders();

const storedNow = (stored: string) => `This was changed meanwhile. Stored now: '${stored}'. Your entry is kept.`;

describe("[SAL-03] saving a sales order", () => {
  test("[SAL-03] tells the second of two administrators with one version and stores nothing of theirs", async () => {
    const id = await order();
    const other = await signedInAs(await createAdmin());
    const seen = await saleFields(id);
    const send = async (who: Visitor, fields: Record<string, string>) =>
      run(orderPage.action, await who.post(paths.salesOrder(id), { ...seen, ...fields }));
    const answers = await Promise.all([
      send(people.admin.visitor, { remarks: "mine" }),
      send(other, { remarks: "theirs" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const loser = answers.find(({ status }) => status === 409);
    const [stored, typed] = answers[0].status === 303 ? ["mine", "theirs"] : ["theirs", "mine"];
    const { errors, values } = await errorsOf(loser ?? Response.error());
    expect(errors).toEqual({
      form: "Nothing has been saved. Fields that you changed were changed meanwhile, by somebody else or in another window. Decide about each of them, then press Update again.",
      remarks: storedNow(stored ?? ""),
    });
    expect(values).toMatchObject({ remarks: typed });
    expect((await saleOf(id)).remarks).toBe(stored);
    expect(await auditOfSale(id)).toHaveLength(1);
  });

  test("[SAL-03] keeps the typed values after a conflict, and its Update replaces the stored ones unless they changed once more", async () => {
    const id = await order();
    const stale = await saleFields(id, { remarks: "Second" });
    const again = async () => {
      const fields = { ...stale, __rvfInternalFormId: "sales-order" };
      const { html } = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id), { fields });
      expect(pageText(html)).toContain("This was changed meanwhile. Stored now:");
      expect(valueOf(html, "remarks")).toBe("Second");
      return { ...stale, seen: valueOf(html, "seen") ?? "", opened: valueOf(html, "opened") ?? "" };
    };
    const send = async (fields: Record<string, string>) =>
      run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), fields));
    await save(id, { remarks: "First" });
    const knowing = await again();
    await save(id, { remarks: "Third" });
    const { status, errors } = await errorsOf(await send(knowing));
    expect([status, errors.remarks]).toEqual([409, storedNow("Third")]);
    expect((await send(await again())).status).toBe(303);
    expect((await saleOf(id)).remarks).toBe("Second");
  });

  test("[SAL-03] keeps a payment that somebody else recorded in the meantime together with the form's own change", async () => {
    const id = await order();
    const stale = await saleFields(id, { remarks: "Mine" });
    await save(id, PAID);
    const paid = await saleOf(id);
    const response = await run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), stale));
    expect(response.status).toBe(303);
    const { status, paymentCents, paymentDate } = paid;
    expect(await saleOf(id)).toMatchObject({ status, paymentCents, paymentDate, remarks: "Mine" });
    expect(status).toBe("Paid");
    expect((await toastOf(response))?.text).toBe(
      "The sales order has been saved. Its status is Paid. Changed meanwhile, and kept as it is stored: Status, Payment total, Payment date.",
    );
  });

  test("[SAL-03] asks about an invoice of which both changed a part", async () => {
    const id = await order();
    const stale = await saleFields(id, { invoiceNumber: "R-77", invoiceDate: "02/11/2026" });
    await save(id, { invoiceTotal: "12.00" });
    const response = await run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), stale));
    const { status, errors, values } = await errorsOf(response);
    expect([status, errors.invoiceTotal, values.invoiceTotal, values.invoiceNumber]).toEqual([
      409,
      "This was changed meanwhile from empty to '12.00'. Please check it together with what you changed.",
      "12.00",
      "R-77",
    ]);
    expect(await saleOf(id)).toMatchObject({ invoiceNumber: null, invoiceCents: 1200 });
  });

  test("[SAL-03] twice by the same form saves once", async () => {
    const id = await order();
    const sent = await saleFields(id, { ...invoice(), ...PAID });
    const send = async () => run(orderPage.action, await people.admin.visitor.post(paths.salesOrder(id), sent));
    expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([303, 303]);
    expect(await auditOfSale(id)).toHaveLength(1);
  });

  test("[SAL-03] gives no two orders one invoice number, also at the same time", async () => {
    const [first, second] = [await order(), await order()];
    const same = invoice();
    const answers = await Promise.all([save(first, same), save(second, same)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const [winner, loser] = answers[0].status === 303 ? [first, second] : [second, first];
    await save(winner, PAID);
    const { errors } = await errorsOf(await save(loser, { ...same, invoiceNumber: ` ${same.invoiceNumber} ` }));
    expect(errors).toEqual({ invoiceNumber: `Order SO-${winner} has this invoice number.` });
    expect(await saleOf(loser)).toMatchObject({ status: "Open", invoiceNumber: null });
  });

  test("[SAL-03] records the changes and the person in the audit trail", async () => {
    const id = await order({ promotionCode: "OLD" });
    await save(id, { promotionCode: "", remarks: "Agreed by phone" });
    const [entry] = await auditOfSale(id);
    expect(entry).toMatchObject({
      event: "order.updated",
      userId: people.customer.id,
      reference: `SO-${id}`,
      message: "Remarks: – → Agreed by phone. Promotion code: OLD → –.",
    });
  });
});

describe("[SAL-03] the page Sale Order Details", () => {
  test("[SAL-03] shows the order and the form with its values; Back leads to the page before", async () => {
    const id = await order({ purchaseOrderNumber: "PO <9>", vatNumber: "GB123456789", remarks: "Later" });
    await save(id, invoice());
    const from = `${paths.salesOrders}?status=Open&page=2`;
    const { html } = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id, from));
    expect(textsOf(html, "h1")).toEqual(["Sale Order Details"]);
    const $ = load(html);
    const company = paths.companyPage(people.customer.companyId);
    const details = $("dt")
      .toArray()
      .map((term) => [$(term).text(), $(term).next("dd").html()]);
    for (const detail of [
      ["Order number", `SO-${id}`],
      ["User name", people.customer.email],
      ["Company", `<a data-discover="true" href="${company}"><bdi>Example Parts Ltd</bdi></a>`],
      ["Country", "United Kingdom"],
      ["Purchase order number", "<bdi>PO &lt;9&gt;</bdi>"],
      ["Code type", "OSCAR Code Basic"],
      ["Number of codes", "2"],
      ["Order total", "€600.00"],
    ])
      expect(details).toContainEqual(detail);
    expect(textsOf(html, 'select[name="status"] option[value=""]')).toEqual(["Select status"]);
    expect(valueOf(html, "status")).toBe("Invoiced");
    expect(valueOf(html, "invoiceTotal")).toBe("600.00");
    expect(valueOf(html, "invoiceDate")).toBe("02/11/2026");
    expect(select(html, `a[href="${from}"]`)).toHaveLength(2);
  });

  test("[SAL-03] redirects to the list as it was left when there is no order; a foreign return address is ignored", async () => {
    const back = `${paths.salesOrders}?page=3`;
    const away = await run(
      orderPage.loader,
      people.admin.visitor.get(`/home/sale-orders/details?${new URLSearchParams({ from: back })}`),
    );
    expect([away.status, away.headers.get("Location")]).toEqual([302, back]);
    const id = await order();
    for (const from of ["https://evil.example/home/sale-orders", "//evil.example", `${paths.salesOrders}/../../x`]) {
      const { html } = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id, from));
      expect(select(html, '[href*="evil"], [href*=".."]')).toHaveLength(0);
      expect(select(html, `a[href="${paths.salesOrders}"]`)).toHaveLength(2);
    }
  });

  test("[SAL-03] shows a refused form with equal labels in summary and form and the typed values", async () => {
    const id = await order();
    const typed = { status: "", invoiceTotal: "1,5", paymentTotal: "x", invoiceDate: "31/02/2026", remarks: "Later" };
    const fields = { ...(await saleFields(id, typed)), __rvfInternalFormId: SALES_ORDER_FORM };
    const { status, html } = await openPage(orderPage, people.admin.visitor, paths.salesOrder(id), { fields });
    expect(status).toBe(422);
    const labels = labelsOf(html);
    expect(labels.map(([, inSummary]) => inSummary)).toEqual([
      "Status",
      "Invoice total",
      "Invoice date",
      "Payment total",
    ]);
    for (const [label, inSummary] of labels) expect(label.replace(" (optional)", "")).toBe(inSummary);
    expect(valueOf(html, "invoiceTotal")).toBe("1,5");
  });
});

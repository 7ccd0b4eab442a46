import { beforeAll, describe, expect, test } from "vitest";
import { lastMonthEnd, nextMonthEnd, taxPointOf } from "~/domain/orders/invoices/invoice.policy";
import { issueMonthlyInvoices } from "~/domain/orders/invoices/monthly.service.server";
import { accountPaths } from "~/lib/account-paths";
import { addDays, formatDate } from "~/lib/dates";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as standingPage from "~/routes/home.company_.standing-authorisations.$id";
import * as dashboard from "~/routes/home.dashboard";
import * as orderPage from "~/routes/home.orders.$id/route";
import * as ordersPage from "~/routes/home.orders._index";
import * as salesOrderPage from "~/routes/home.sale-orders_.details/route";
import * as invoicePage from "~/routes/home.sale-orders_.details_.invoice/route";
import * as searchPage from "~/routes/home.search";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { sumRevenue } from "~db/repositories/figures.server";
import { type ApiClient, apiClientOf, newProgram } from "../support/api";
import { invoiceMailsOf } from "../support/certificates";
import { brokenRules } from "../support/e-invoice";
import { TEST_PASSWORD } from "../support/factories";
import { invoicesOf } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { embeddedFile, pdfText } from "../support/pdf";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleOf, saveSale } from "../support/sales-orders";
import { confirmDomainOf, grantStanding, issueBasis, orderUnder } from "../support/standing";
import { run, signedInAs, type Visitor } from "../support/visitor";
import { auditsOf, useInvoicing } from "./invoicing";
import { toastOf } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();
const { people, act, download } = useInvoicing();

/** When the invoices of the month of this test are issued. */
const END = nextMonthEnd(new Date());
const NET = 29_000;

let staff: ApiClient;
beforeAll(async () => {
  staff = await apiClientOf(people.admin.email, TEST_PASSWORD);
});

let companies = 0;

/** A company with a standing authorisation that has one invoice a month, and a function that orders under it and returns the order's id. */
async function newCompany(given: Parameters<typeof grantStanding>[2] = {}) {
  const { user, client } = await newProgram();
  const domain = `monthly${(companies += 1)}.example.org`;
  await confirmDomainOf(user, domain);
  let hosts = 0;
  const csr = () => {
    const host = `host${(hosts += 1)}.${domain}`;
    return makeCsr({ subject: `/C=GB/L=Coventry/O=Example Parts Ltd/CN=${host}`, san: [`DNS:${host}`] }).pem;
  };
  const basis = await issueBasis(client, csr());
  const form = { isInvoicedMonthly: true, ceilingCertificates: 10, ...given };
  const standing = await grantStanding(user, basis, form);
  const order = async () => (await orderUnder(client, standing, csr())).content.orderId;
  return { user, client, standing, order, visitor: await signedInAs(user) };
}

const statusOf = async (orderId: number) => {
  const { status, invoiceNumber } = await saleOf(orderId);
  return { status, invoiceNumber };
};

const ownPage = async (visitor: Visitor, id: number) =>
  pageText((await openPage(orderPage, visitor, paths.order(id), { params: { id: String(id) } })).html);

describe("[API-03] orders under a standing authorisation with one invoice a month", () => {
  test("[API-03] [SAL-05] are issued without an invoice, and are on one invoice on the last day of the month", async () => {
    const { user, order, visitor } = await newCompany();
    const ids = [await order(), await order()];
    for (const id of ids) {
      expect(await statusOf(id)).toEqual({ status: "Open", invoiceNumber: null });
      expect(await ownPage(visitor, id)).toContain(
        `It is invoiced on ${formatDate(END.toISOString())}, with the other orders of the month`,
      );
    }
    expect(await issueMonthlyInvoices(new Date(END.getTime() - 1))).toBe(0);
    const revenue = () => sumRevenue(getDb(), [{ from: addDays(END, -1), to: addDays(END, 1) }]);
    const [before = 0] = await revenue();
    expect(await issueMonthlyInvoices(END)).toBe(1);
    expect(await issueMonthlyInvoices(END)).toBe(0);
    expect(await revenue()).toEqual([before + 2 * NET]);

    const [invoice] = await invoicesOf(ids[0] as number);
    if (!invoice) throw new Error("There is no invoice.");
    const { content } = invoice;
    expect(await invoicesOf(ids[1] as number)).toEqual([invoice]);
    const today = new Date().toISOString().slice(0, 10);
    const taxPoint = taxPointOf({ paidOn: null, suppliedOn: today }, END);
    expect(content).toMatchObject({ netCents: 2 * NET, orderNumber: "", purchaseOrderNumber: "PO-STANDING" });
    expect(content.totalCents).toBe(content.netCents + content.vatCents);
    expect(content.orders).toEqual(
      await Promise.all(
        ids.map(async (id) => {
          const { createdAt, netCents, vatCents, totalCents } = await saleOf(id);
          const amounts = { netCents, vatCents, totalCents };
          return { number: `SO-${id}`, orderDate: createdAt, suppliedOn: today, taxPoint, ...amounts };
        }),
      ),
    );
    expect(content.lines.map(({ order: of, netCents }) => [of, netCents])).toEqual(ids.map((id) => [`SO-${id}`, NET]));
    for (const id of ids) {
      expect(await statusOf(id)).toEqual({ status: "Invoiced", invoiceNumber: invoice.number });
      expect((await saleOf(id)).invoiceCents).toBe((await saleOf(id)).totalCents);
      expect(await ownPage(visitor, id)).toContain(`Invoice ${invoice.number}`);
      expect(await auditsOf(id)).toMatchObject([
        { event: "invoice.issued", reference: invoice.number, actorName: "monthly-invoices" },
      ]);
    }
    const mails = (await Promise.all(ids.map(invoiceMailsOf))).flat();
    expect(mails.filter(({ recipient }) => recipient === user.email)).toHaveLength(1);
    expect(mails[0]?.subject).toBe(`2 orders: your invoice ${invoice.number}`);

    const answer = await download(invoice.id, { ...user, visitor });
    const pdf = new Uint8Array(await answer.arrayBuffer());
    const text = pdfText(pdf);
    for (const id of ids) expect(text).toContain(`Sales order SO-${id}`);
    expect(text).toContain("2, as the lines say");
    const xml = embeddedFile(pdf).toString("utf8");
    expect(brokenRules(xml)).toEqual([]);
    expect(xml.match(/<ram:BillingSpecifiedPeriod>/g)).toHaveLength(3);
    expect(xml).not.toContain("SellerOrderReferencedDocument");
  });

  test("[API-03] an order with another purchase order number has an invoice of its own, and a single order the usual one", async () => {
    const { client, order } = await newCompany();
    const [first, second] = [await order(), await order()];
    await client.post("certificates/CorrectOrder", { orderId: first, purchaseOrderNumber: "PO-OTHER" });
    expect(await issueMonthlyInvoices(END)).toBe(2);
    const [[one], [other]] = [await invoicesOf(first), await invoicesOf(second)];
    expect(one?.content).toMatchObject({ purchaseOrderNumber: "PO-OTHER", orderNumber: `SO-${first}` });
    expect(one?.content.orders).toBeUndefined();
    expect(other?.content.orderNumber).toBe(`SO-${second}`);
  });

  test("[API-03] the job at the same time in two processes issues them once", async () => {
    const { order } = await newCompany();
    const ids = [await order(), await order()];
    const issued = await Promise.all([issueMonthlyInvoices(END), issueMonthlyInvoices(END)]);
    expect(issued.toSorted()).toEqual([0, 1]);
    for (const id of ids) expect(await invoicesOf(id)).toHaveLength(1);
  });

  test("[API-03] what is issued after the end of the month is on the next invoice", async () => {
    const { order } = await newCompany();
    const id = await order();
    expect(await issueMonthlyInvoices(lastMonthEnd(new Date()))).toBe(0);
    expect(await invoicesOf(id)).toEqual([]);
    expect(await issueMonthlyInvoices(addDays(END, 40))).toBe(1);
    expect(await invoicesOf(id)).toHaveLength(1);
  });

  test("[API-03] [SAL-03] an order that staff have invoiced or cancelled before is not on it", async () => {
    const { order } = await newCompany();
    const [first, second] = [await order(), await order()];
    const { html } = await openPage(salesOrderPage, people.admin.visitor, paths.salesOrder(first));
    expect(pageText(html)).toContain("An invoice of its own can be issued before.");
    await act(first, { intent: "issue" });
    await saveSale(people.admin.visitor, second, { status: "Cancelled", remarks: "Ordered twice" });
    expect(await issueMonthlyInvoices(END)).toBe(0);
    expect(await invoicesOf(first)).toHaveLength(1);
    expect(await invoicesOf(second)).toEqual([]);
  });

  test("[API-03] its owner chooses one invoice for each order again, on the page and by a call", async () => {
    const { client, standing, order, visitor } = await newCompany();
    const waiting = await order();
    const path = accountPaths.standingAuthorisation(standing);
    const params = { id: String(standing) };
    const { html } = await openPage(standingPage, visitor, path, { params });
    expect(pageText(html)).toContain("All certificates of a month are on one invoice");
    expect(pageText(html)).toContain("1 order waits for the invoice of the month");
    const sent = await visitor.post(path, { intent: "invoice-each" });
    expect((await run(standingPage.action, sent, params)).status).toBe(303);
    expect(pageText((await openPage(standingPage, visitor, path, { params })).html)).toContain(
      "1 order waits for the invoice of the month",
    );
    const atOnce = await order();
    expect((await statusOf(atOnce)).status).toBe("Invoiced");
    expect(await issueMonthlyInvoices(END)).toBe(1);
    expect((await statusOf(waiting)).status).toBe("Invoiced");
    const choice = { standingAuthorisationId: standing, isInvoicedMonthly: true };
    expect(await client.post("certificates/ChooseInvoicing", choice)).toMatchObject({ status: 200, content: true });
    expect((await client.get("certificates/GetStandingAuthorisations")).content).toMatchObject([
      { id: standing, isInvoicedMonthly: true },
    ]);
    expect((await statusOf(await order())).status).toBe("Open");
    const foreign = await newProgram();
    expect(await foreign.client.post("certificates/ChooseInvoicing", choice)).toMatchObject({ status: 404 });
    await client.post("certificates/EndStandingAuthorisation", {
      standingAuthorisationId: standing,
      reason: "Replaced",
    });
    expect(await client.post("certificates/ChooseInvoicing", choice)).toMatchObject({ status: 422 });
    const late = await run(standingPage.action, await visitor.post(path, { intent: "invoice-each" }), params);
    expect(await toastOf(late)).toMatchObject({ kind: "warn", text: "The standing authorisation has ended already." });
  });
});

/** A monthly invoice of three orders, with the visitor and the program of their company. */
async function invoiced() {
  const { user, order, client, visitor } = await newCompany();
  const ids = [await order(), await order(), await order()] as const;
  await issueMonthlyInvoices(END);
  const [invoice] = await invoicesOf(ids[0]);
  if (!invoice) throw new Error("There is no invoice.");
  return { ids, user, client, invoice, visitor };
}

describe("[SAL-05] a monthly invoice", () => {
  test("[SAL-05] is corrected for one order: a credit note over its part, a new invoice for it, and the others keep theirs", async () => {
    const { ids, client, invoice, visitor } = await invoiced();
    const [first, second] = ids;
    const answer = await client.post("certificates/CorrectOrder", { orderId: second, purchaseOrderNumber: "PO-NEW" });
    expect(answer.status).toBe(200);
    const total = (await saleOf(second)).totalCents;
    const [, note, next] = await invoicesOf(second);
    expect(note?.content).toMatchObject({
      kind: "credit-note",
      orderNumber: `SO-${second}`,
      totalCents: total,
      credits: { number: invoice.number, isPart: true },
    });
    expect(note?.content.lines).toHaveLength(1);
    expect(next?.content).toMatchObject({
      purchaseOrderNumber: "PO-NEW",
      totalCents: total,
      replaces: { number: invoice.number, creditNote: note?.number, isPart: true },
    });
    expect(await statusOf(second)).toEqual({ status: "Invoiced", invoiceNumber: next?.number });
    expect(await statusOf(first)).toEqual({ status: "Invoiced", invoiceNumber: invoice.number });
    expect(await ownPage(visitor, second)).toContain(
      `Invoice ${invoice.number} for 3 orders (cancelled for this order)`,
    );
    expect(await ownPage(visitor, first)).not.toContain("cancelled");
    const pdf = new Uint8Array(await (await download(note?.id ?? 0, people.admin)).arrayBuffer());
    expect(pdfText(pdf)).toContain(`cancels order SO-${second} of invoice ${invoice.number}`);
    expect(brokenRules(embeddedFile(pdf).toString("utf8"))).toEqual([]);
  });

  test("[SAL-05] is credited by staff for the orders that still have it, in one credit note", async () => {
    const { ids, invoice } = await invoiced();
    const [first, second, third] = ids;
    const fields = { intent: "credit", invoice: String(invoice.id), reason: "Wrong company" };
    const { html } = await openPage(invoicePage, people.admin.visitor, rarePaths.salesOrderInvoice(first));
    expect(pageText(html)).toContain("All 3 orders that still have the invoice");
    await act(first, { ...fields, scope: "order" });
    expect((await statusOf(first)).status).toBe("Open");
    expect((await statusOf(second)).status).toBe("Invoiced");
    await act(second, { ...fields, scope: "whole" });
    const [, note] = await invoicesOf(second);
    expect((await invoicesOf(third))[1]).toEqual(note);
    expect(note?.content).toMatchObject({
      totalCents: (await saleOf(second)).totalCents + (await saleOf(third)).totalCents,
      credits: { isPart: true },
    });
    expect(note?.content.orders?.map(({ number }) => number)).toEqual([`SO-${second}`, `SO-${third}`]);
    for (const id of ids) expect(await statusOf(id)).toEqual({ status: "Open", invoiceNumber: null });
    expect(await auditsOf(third)).toMatchObject([{ event: "invoice.issued" }, { event: "invoice.credited" }]);
    await act(third, { intent: "issue" });
    expect((await statusOf(third)).status).toBe("Invoiced");
    expect(await issueMonthlyInvoices(addDays(END, 40))).toBe(0);
  });

  test("[SAL-05] that was credited as a whole can be issued again for all of its orders, unless one was changed meanwhile", async () => {
    const { ids, invoice } = await invoiced();
    const [first, second, third] = ids;
    await act(first, { intent: "credit", invoice: String(invoice.id), scope: "whole", reason: "Wrong company" });
    const { html } = await openPage(invoicePage, people.admin.visitor, rarePaths.salesOrderInvoice(second));
    expect(pageText(html)).toContain(`left 3 orders without an invoice: SO-${first} , SO-${second} , SO-${third}`);
    const seen = select(html, 'input[name="seen"]').attr("value") ?? "";
    const again = { intent: "issue-together", seen };
    await act(third, { intent: "issue" });
    expect(await toastOf(await act(second, again))).toMatchObject({ kind: "warn" });
    expect(await statusOf(first)).toEqual({ status: "Open", invoiceNumber: null });
    await act(second, { ...again, seen: `${first} ${second}` });
    const { invoiceNumber } = await statusOf(first);
    expect(invoiceNumber).toMatch(/^INV-/);
    expect(await statusOf(second)).toEqual({ status: "Invoiced", invoiceNumber });
    const issued = (await invoicesOf(first)).at(-1);
    expect(issued?.content.orders?.map(({ number }) => number)).toEqual([`SO-${first}`, `SO-${second}`]);
    await act(first, { ...again, seen: `${first} ${second}` });
    expect((await statusOf(first)).invoiceNumber).toBe(invoiceNumber);
  });

  test("[SAL-03] is recorded as paid as a whole, by staff on the page", async () => {
    const { ids, invoice } = await invoiced();
    const today = new Date().toISOString().slice(0, 10);
    const { html } = await openPage(invoicePage, people.admin.visitor, rarePaths.salesOrderInvoice(ids[0]));
    const seen = select(html, 'input[name="seen"]').attr("value") ?? "";
    expect(seen).toBe(ids.join(" "));
    const fields = { intent: "pay", invoice: String(invoice.id), seen };
    const wrong = await act(ids[0], { ...fields, paymentDate: "2001-01-01" });
    expect(JSON.stringify(await wrong.json())).toContain("before the order date");
    for (const id of ids) expect((await statusOf(id)).status).toBe("Invoiced");
    await act(ids[0], { ...fields, paymentDate: today });
    for (const id of ids) {
      const { status, paymentCents, paymentDate, totalCents } = await saleOf(id);
      expect({ status, paymentCents, paymentDate }).toEqual({
        status: "Paid",
        paymentCents: totalCents,
        paymentDate: `${today}T00:00:00.000Z`,
      });
    }
  });

  test("[SAL-03] is not recorded as paid from an old page, nor from the page of another order", async () => {
    const { ids, invoice } = await invoiced();
    const other = await invoiced();
    const [first, second, third] = ids;
    const fields = { intent: "pay", invoice: String(invoice.id), paymentDate: "", seen: ids.join(" ") };
    await act(first, { intent: "credit", invoice: String(invoice.id), scope: "order", reason: "Wrong company" });
    const late = await act(second, fields);
    const { totalCents } = await saleOf(second);
    expect(JSON.stringify(await late.json())).toContain(
      `${formatEuro(2 * totalCents)} for SO-${second} and 1 more is not paid now.`,
    );
    const elsewhere = await act(other.ids[0], { ...fields, seen: `${second} ${third}` });
    expect(await toastOf(elsewhere)).toMatchObject({ kind: "warn" });
    for (const id of [second, third]) expect((await statusOf(id)).status).toBe("Invoiced");
    const paid = await act(second, { ...fields, seen: `${second} ${third}` });
    expect(await toastOf(paid)).toMatchObject({ text: `The payment of SO-${second} and 1 more has been recorded.` });
    expect((await statusOf(third)).status).toBe("Paid");
  });

  test("[SAL-05] is one task of the company until it is paid, and says on the page of each order how many orders it is for", async () => {
    const { ids, invoice, visitor } = await invoiced();
    const { html } = await openPage(dashboard, visitor, paths.dashboard);
    const cents = 3 * (await saleOf(ids[0])).totalCents;
    const text = pageText(html);
    expect(text).toContain(`${invoice.number} is not paid`);
    expect(text).toContain(`3 orders, ${formatEuro(cents)}, invoiced on`);
    expect(text).not.toContain(`SO-${ids[0]} is not paid`);
    const own = await ownPage(visitor, ids[1]);
    expect(own).toContain(`Invoice ${invoice.number} for 3 orders`);
    expect(own).toContain(`${formatEuro(cents / 3)} is not paid yet.`);
    expect(pageText((await openPage(ordersPage, visitor, paths.orders)).html)).toContain("Issued, not paid");
    await staff.post("codes/payInvoice", { invoiceNumber: invoice.number });
    expect(await ownPage(visitor, ids[1])).toContain(`Paid on ${formatDate(new Date().toISOString())}.`);
  });

  test("[SRC-03] is found by its number with each of its orders, and the events of the account name them", async () => {
    const { ids, invoice, user, visitor } = await invoiced();
    const { html } = await openPage(searchPage, visitor, `/home/search?q=${invoice.number}`);
    for (const id of ids) expect(textsOf(html, `a[href="${paths.order(id)}"]`)).toEqual([invoice.number]);
    const { html: account } = await openPage(userPage, people.admin.visitor, paths.user(user.id), {
      params: { id: String(user.id) },
    });
    expect(pageText(account)).toContain(`SO-${ids[2]}: Invoice ${invoice.number}`);
  });

  test("[SAL-03] is recorded as paid as a whole by a call, once", async () => {
    const { ids, invoice } = await invoiced();
    const pay = (invoiceNumber: string, who = staff) => who.post("codes/payInvoice", { invoiceNumber });
    expect(await pay("INV-1999-00001")).toMatchObject({ status: 404 });
    expect(await pay("nothing")).toMatchObject({ status: 404 });
    expect(await pay(invoice.number)).toMatchObject({
      status: 200,
      content: ids.map((id) => ({ id, orderNumber: `SO-${id}` })),
    });
    expect(await pay(invoice.number)).toMatchObject({ status: 200, content: [] });
    for (const id of ids) expect((await statusOf(id)).status).toBe("Paid");
    const { client } = await newProgram();
    expect(await pay(invoice.number, client)).toMatchObject({ status: 403 });
  });
});

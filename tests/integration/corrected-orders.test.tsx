import { beforeAll, describe, expect, test } from "vitest";
import { PART_FIELDS } from "~/domain/orders/corrections/correction-fields";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { findSalesOrders } from "~/domain/orders/list/service.server";
import { loadOverview } from "~/domain/overview/overview.service.server";
import { correctionPath } from "~/lib/correction-path";
import { paths } from "~/lib/paths";
import * as queueOrder from "~/routes/home.certificate-queue.$id/route";
import * as ownOrder from "~/routes/home.orders.$id/route";
import * as correctPage from "~/routes/home.orders.$id_.correct/route";
import * as overviewPage from "~/routes/home.overview";
import * as salesOrders from "~/routes/home.sale-orders/route";
import * as salesOrder from "~/routes/home.sale-orders_.details/route";
import * as searchPage from "~/routes/home.search";
import { acting } from "../support/acting";
import { apiClientOf } from "../support/api";
import { invoiceMailsOf, issueCertificate, mailsOf, setCertificate } from "../support/certificates";
import { personOf } from "../support/companies";
import { createPerson, erase, placesOf } from "../support/erasure";
import { createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { COUNTRY, createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { pageText, textsOf } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { PAID, saveSale } from "../support/sales-orders";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const people = usePeople();

type User = Awaited<ReturnType<typeof createUser>>;
let anna: User;
let visitor: Visitor;
beforeAll(async () => {
  anna = await createUser();
  visitor = await signedInAs(anna);
});

const params = (id: number) => ({ id: String(id) });
const GERMAN = { country: String(COUNTRY.DE), vat: "DE123456789", city: "Bremen", postalCode: "28195" };

/** Sends the form of the purchase order number and the invoice address with these changes. */
async function send(id: number, changed: Record<string, string>, who = visitor) {
  const loaded = await run(correctPage.loader, who.get(correctionPath(id, "order")), params(id));
  const { form } = await jsonOf<{ form: { values: Record<string, string>; seen: string } }>(loaded);
  const fields = Object.fromEntries(PART_FIELDS.order.map((name) => [name, form.values[name] ?? ""]));
  const request = await who.post(correctionPath(id, "order"), { ...fields, seen: form.seen, ...changed });
  return run(correctPage.action, request, params(id));
}

const correct = (id: number, changed: Record<string, string>, who = visitor) =>
  send(id, { ...changed, confirmed: "yes" }, who);

async function paidOrder(): Promise<number> {
  const id = await createInvoiceableOrder(anna);
  await saveSale(people.admin.visitor, id, { status: "Invoiced" });
  await saveSale(people.admin.visitor, id, { ...PAID, paymentDate: new Date().toISOString().slice(0, 10) });
  return id;
}

const own = async (id: number, who = visitor) =>
  (await openPage(ownOrder, who, paths.order(id), { params: params(id) })).html;
const staffs = async (id: number) => (await openPage(salesOrder, people.admin.visitor, paths.salesOrder(id))).html;
const numberOf = (html: string) => /COR-\d{4}-\d{4}/.exec(pageText(html))?.[0] ?? "";

describe("[SAL-07] a repayment that is due after a correction", () => {
  test("[SAL-07] is counted on the overview, listed, and gone when the payment that remains is recorded", async () => {
    const id = await paidOrder();
    const waiting = async () => {
      const { queues } = await loadOverview(await personOf(people.admin));
      return queues.find(({ title }) => title === "Repayments due");
    };
    const before = (await waiting())?.count ?? 0;
    await correct(id, GERMAN);
    const tile = await waiting();
    expect(tile?.count).toBe(before + 1);
    const params = salesOrderList.read(new URLSearchParams(tile?.page.split("?")[1]));
    const { results } = await findSalesOrders(params);
    expect(results?.rows.find((row) => row.id === id)?.overpaid).toBe("€180.00 to be paid back");
    const { html } = await openPage(salesOrders, people.admin.visitor, tile?.page ?? "");
    expect(pageText(html)).toContain("Only those on which more was paid than they cost.");
    expect(pageText(html)).toContain("€180.00 to be paid back");
    const staffPage = pageText(await staffs(id));
    expect(staffPage).toContain("No VAT service has confirmed the VAT number: check it before you pay back.");
    expect(staffPage).toContain("When it is paid back, enter the payment that remains.");
    await saveSale(people.admin.visitor, id, { paymentTotal: "900.00" });
    expect((await waiting())?.count).toBe(before);
    expect(pageText(await staffs(id))).not.toContain("paid back");
  });

  test("[SAL-07] is no work of those who do not see sales orders", async () => {
    await correct(await paidOrder(), GERMAN);
    const { html } = await openPage(overviewPage, await signedInAs(await createStaff(["operator"])), "/home/overview");
    expect(pageText(html)).not.toContain("Repayments due");
  });
});

test("[SAL-07] a correction is found by its number, by those who may see the order", async () => {
  const id = await createInvoiceableOrder(anna);
  await correct(id, { city: "York" });
  const number = numberOf(await own(id));
  const leadsTo = async (who: Visitor, q: string) =>
    (await run(searchPage.loader, who.get(`/home/search?q=${q}`))).headers.get("Location");
  expect(await leadsTo(people.admin.visitor, number.toLowerCase())).toBe(paths.salesOrder(id));
  expect(await leadsTo(visitor, number)).toBe(paths.order(id));
  expect(await leadsTo(await signedInAs(await createUser()), number)).toBeNull();
  expect(await leadsTo(people.admin.visitor, "COR-2026-999999")).toBeNull();
});

test("[SAL-07] the page of an order marks the invoice that a correction has cancelled, and states the address", async () => {
  const id = await createInvoiceableOrder(anna);
  await saveSale(people.admin.visitor, id, { status: "Invoiced" });
  await correct(id, { city: "York" });
  const [first, credit, second] = (await invoicesOf(id)).map(({ content }) => content.number);
  expect(textsOf(await own(id), "main li a").slice(0, 3)).toEqual([
    `Invoice ${first} (cancelled)`,
    `Credit note ${credit}`,
    `Invoice ${second}`,
  ]);
  expect(pageText(await staffs(id))).toMatch(/Invoice \(cancelled\).*Credit note.*York/);
});

describe("[SAL-07] a corrected email of the invoice address", () => {
  const sentTo = async (id: number) =>
    (await invoiceMailsOf(id)).map(({ recipient, subject }) => `${subject} ${recipient}`);

  test("[SAL-07] gets the invoice that stays", async () => {
    const id = await createInvoiceableOrder(anna);
    await saveSale(people.admin.visitor, id, { status: "Invoiced" });
    const [invoice] = (await invoicesOf(id)).map(({ content }) => content.number);
    await correct(id, { email: "ledger@example-parts.com" });
    expect(await sentTo(id)).toContain(`Order SO-${id}: your invoice ${invoice} ledger@example-parts.com`);
    const mail = (await mailsOf(id)).find(({ dedupeKey }) => dedupeKey.startsWith("order-corrected"));
    expect(mail?.text.replace(/\s+/g, " ")).toContain("It is now sent to ledger@example-parts.com as well.");
    expect(mail?.text).not.toContain("Please pay");
  });

  test("[SAL-07] gets the new invoice, and both addresses get the credit note of the one before", async () => {
    const id = await createInvoiceableOrder(anna);
    await saveSale(people.admin.visitor, id, { status: "Invoiced" });
    await correct(id, { email: "ledger@example-parts.com", city: "York" });
    const [, credit, second] = (await invoicesOf(id)).map(({ content }) => content.number);
    const sent = await sentTo(id);
    const to = (number = "") => sent.filter((one) => one.includes(number)).map((one) => one.split(" ").at(-1));
    expect(to(credit).sort()).toEqual([anna.email, "invoices@example-parts.com", "ledger@example-parts.com"].sort());
    expect(to(second).sort()).toEqual([anna.email, "ledger@example-parts.com"].sort());
    expect((await invoicesOf(id))[1]?.content).toMatchObject({
      credits: { reason: "Replaced by a corrected invoice. Corrected: City." },
    });
  });
});

test("[SAL-07][MAN-03] the steps of an order and the comparison of staff keep the contact who authorised it", async () => {
  const { id, orderId } = await issueCertificate({ customer: people.customer });
  await setCertificate(id, { contactAnswer: "authorised", contactAnsweredAt: new Date() });
  const { visitor: owner } = people.customer;
  const about = { params: { id: String(orderId) } };
  const path = correctionPath(orderId, "contact");
  const { form } = await jsonOf<{ form: { values: Record<string, string>; seen: string } }>(
    await run(correctPage.loader, owner.get(path), params(orderId)),
  );
  const fields = Object.fromEntries(PART_FIELDS.contact.map((name) => [name, form.values[name] ?? ""]));
  const changed = { ...fields, seen: form.seen, name: "Somebody Else", confirmed: "yes" };
  expect((await run(correctPage.action, await owner.post(path, changed), params(orderId))).status).toBe(303);
  const page = pageText((await openPage(ownOrder, owner, paths.order(orderId), about)).html);
  expect(page).toMatch(new RegExp(`Contact authorised.*${fields.name}, .*Corrected since: COR-`));
  const { html } = await openPage(queueOrder, people.admin.visitor, paths.certificateQueueOrder(id), {
    params: params(id),
  });
  const [compared] = textsOf(html, "table");
  expect(compared).toContain(fields.name);
  expect(compared).not.toContain("Somebody Else");
});

test("[SAL-07][AUD-02] a correction of the order of a certificate is in the history that staff see of it", async () => {
  const { id, orderId } = await issueCertificate({ customer: people.customer });
  const address = { addressLine1: "1 Mill Lane", postalCode: "YO1 7HH", city: "York", country: String(COUNTRY.GB) };
  const invoiceTo = { ...address, vat: "GB123456789", email: "invoices@example.com", phoneNumber: "+44 20 7946 0001" };
  expect((await correct(orderId, invoiceTo, people.customer.visitor)).status).toBe(303);
  const { html } = await openPage(queueOrder, people.admin.visitor, paths.certificateQueueOrder(id), {
    params: params(id),
  });
  expect(pageText(html)).toContain(`Corrected order SO-${orderId}: Invoice address: Email, `);
});

test("[SAL-07][LOG-09] staff see which administrator corrected an order as the customer; the customer does not", async () => {
  const olga = people.admin;
  const { visitor: acted } = await acting(olga, anna);
  const id = await createInvoiceableOrder(anna);
  await correct(id, { city: "York" }, acted);
  expect(pageText(await staffs(id))).toContain(`by Anna Müller (${olga.email} acted for them)`);
  const page = pageText(await own(id));
  expect(page).toContain("by Anna Müller");
  expect(page).not.toContain(olga.email);
});

test("[SAL-07] the data file of a person has the corrections, and an erasure leaves nothing of the person in them", async () => {
  const person = await createPerson();
  const own = await signedInAs(person);
  const id = await createInvoiceableOrder(person);
  const { firstName, lastName, email, telephoneNumber } = person;
  const name = `${firstName} ${lastName}`;
  expect((await correct(id, { name, email, phoneNumber: telephoneNumber }, own)).status).toBe(303);
  const client = await apiClientOf(email, TEST_PASSWORD);
  const file = (await (await client.send("Users/DownloadPersonalData")).json()) as { orderCorrections: unknown };
  expect(file.orderCorrections).toEqual([
    expect.objectContaining({
      number: expect.stringMatching(/^COR-/) as string,
      changes: expect.arrayContaining([{ label: "Invoice address: Name", from: "Anna Müller", to: name }]) as unknown,
    }),
  ]);
  await saveSale(people.admin.visitor, id, { status: "Cancelled", remarks: "Ordered twice" });
  await erase(person);
  const places = await placesOf([lastName, email, telephoneNumber]);
  expect(places.filter((place) => place.startsWith("order_corrections"))).toEqual([]);
});

describe("[SAL-07] a VAT number", () => {
  test("[SAL-07][PUR-09] that does not count in the chosen country is named before the correction is made", async () => {
    const id = await createInvoiceableOrder(anna);
    const asked = await send(id, { country: String(COUNTRY.US), vat: "DE123456789" });
    const { preview } = await jsonOf<{ preview: { effects: string[] } }>(asked);
    expect(preview.effects.at(-1)).toBe(
      "The VAT number that you typed is not stored: an invoice to this country has none.",
    );
    const other = await jsonOf<{ preview: { effects: string[] } }>(await send(id, { city: "York" }));
    expect(other.preview.effects.join(" ")).not.toContain("VAT number");
  });
});

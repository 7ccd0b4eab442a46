import { beforeAll, describe, expect, test } from "vitest";
import { parseCorrections } from "~/domain/orders/corrections/correction";
import { CORRECTION_PARTS, PART_FIELDS, type CorrectionPart } from "~/domain/orders/corrections/correction-fields";
import { eInvoiceXml } from "~/domain/orders/invoices/e-invoice.server";
import { notesOf } from "~/domain/orders/invoices/invoice-notes.server";
import { correctionPath } from "~/lib/correction-path";
import { addDays } from "~/lib/dates";
import { paths } from "~/lib/paths";
import * as correctPage from "~/routes/home.orders.$id_.correct/route";
import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import {
  checksDone,
  createCertificateOrder,
  invoiceMailsOf,
  issueCertificate,
  mailsOf,
  readCertificate,
} from "../support/certificates";
import { createColleague } from "../support/companies";
import { createUser } from "../support/factories";
import { COUNTRY, createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { auditOfSale, PAID, saleOf, saveSale } from "../support/sales-orders";
import { errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { toastOf } from "./revoking";

usePortal();
const people = usePeople();
const { makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
let anna: User;
let visitor: Visitor;
beforeAll(async () => {
  anna = await createUser();
  visitor = await signedInAs(anna);
});

interface Page {
  form: { values: Record<string, string>; seen: string } | null;
}

const params = (id: number) => ({ id: String(id) });
const load = (id: number, part?: CorrectionPart, who = visitor) =>
  run(correctPage.loader, who.get(correctionPath(id, part)), params(id));

/** Returns the fields of a part's form with these changes. */
async function fieldsOf(id: number, part: CorrectionPart, changed: Record<string, string>) {
  const { form } = await jsonOf<Page>(await load(id, part));
  const { values = {}, seen = "" } = form ?? {};
  const fields = PART_FIELDS[part].map((name) => [name, values[name] ?? ""] as const);
  return { ...(Object.fromEntries(fields) as Record<string, string>), seen, ...changed };
}

const send = async (id: number, part: CorrectionPart, fields: Record<string, string>, who = visitor) =>
  run(correctPage.action, await who.post(correctionPath(id, part), fields), params(id));

/** Corrects a part of an order and confirms the question. */
const correct = async (id: number, part: CorrectionPart, changed: Record<string, string>) =>
  send(id, part, { ...(await fieldsOf(id, part, changed)), confirmed: "yes" });

/** Returns what the portal says that a correction does. */
const effectsOf = async (id: number, part: CorrectionPart, changed: Record<string, string>) =>
  (await jsonOf<{ preview: { effects: string[] } }>(await send(id, part, await fieldsOf(id, part, changed)))).preview
    .effects;

const correctionsOf = (id: number) =>
  getDb().selectFrom("orderCorrections").selectAll().where("orderId", "=", id).orderBy("id").execute();
const kindsOf = async (id: number) => (await correctionsOf(id)).map(({ kind }) => kind);
const refused = async (answer: Response) => (await errorsOf(answer)).errors;

/** Creates an order of codes whose invoice the portal has issued. */
async function invoiced(given: Parameters<typeof createInvoiceableOrder>[1] = {}) {
  const id = await createInvoiceableOrder(anna, given);
  await saveSale(people.admin.visitor, id, { status: "Invoiced" });
  return id;
}

/** Creates an order that staff have recorded as paid. */
async function paid(given: Parameters<typeof createInvoiceableOrder>[1] = {}) {
  const id = await invoiced(given);
  const today = new Date().toISOString().slice(0, 10);
  await saveSale(people.admin.visitor, id, { ...PAID, paymentDate: today });
  return id;
}

const GERMAN = { country: String(COUNTRY.DE), vat: "DE123456789", city: "Bremen", postalCode: "28195" };
const NOT_TAXED = { vatRate: 0, vatCents: 0, totalCents: 90_000, countryId: COUNTRY.DE, vatNumber: "DE123456789" };

describe("[SAL-07] a correction of an order that is not invoiced", () => {
  test("[SAL-07] changes the order, with a number, an audit entry and a message, and no invoice", async () => {
    const id = await createInvoiceableOrder(anna);
    expect(await effectsOf(id, "order", { purchaseOrderNumber: "PO-7" })).toEqual([
      "The order is corrected. Nothing has been invoiced yet.",
    ]);
    expect(await correctionsOf(id)).toEqual([]);
    const toast = await toastOf(await correct(id, "order", { purchaseOrderNumber: "PO-7", city: "Leeds" }));
    const [correction] = await correctionsOf(id);
    const number = `COR-${correction?.year}-${String(correction?.number).padStart(4, "0")}`;
    expect(toast?.text).toBe(
      `Correction ${number} is recorded. The order is corrected. Nothing has been invoiced yet.`,
    );
    expect(correction).toMatchObject({ kind: "order", creditNoteId: null, invoiceId: null, madeBy: anna.id });
    expect(parseCorrections(correction?.changes ?? "[]")).toEqual([
      { label: "Purchase order number", from: expect.any(String) as string, to: "PO-7" },
      { label: "Invoice address: City", from: "Coventry", to: "Leeds" },
    ]);
    const order = await saleOf(id);
    expect(order).toMatchObject({ purchaseOrderNumber: "PO-7", status: "Open", totalCents: 108_000 });
    expect(JSON.parse(order.invoiceAddress)).toMatchObject({ city: "Leeds", countryId: COUNTRY.GB });
    const entry = (await auditOfSale(id)).find(({ event }) => event === "order.corrected");
    expect(entry).toMatchObject({ reference: number, actorId: anna.id, orderId: id });
    expect(entry?.message).toBe(`Corrected order SO-${id}: Purchase order number, Invoice address: City.`);
    const [mail] = await mailsOf(id);
    expect(mail).toMatchObject({ recipient: anna.email, subject: `Order SO-${id}: correction ${number}` });
    expect(mail?.text).toContain("Coventry → Leeds");
    expect(await invoicesOf(id)).toEqual([]);
  });

  test("[SAL-07] recalculates the VAT at another country, and finds the order by its new company", async () => {
    const id = await createInvoiceableOrder(anna);
    expect(await effectsOf(id, "order", GERMAN)).toContain("The total changes from €1,080.00 to €900.00.");
    await correct(id, "order", { ...GERMAN, company: "Beispiel GmbH" });
    const order = await saleOf(id);
    expect(order).toMatchObject({ vatCents: 0, vatRate: 0, totalCents: 90_000, countryId: COUNTRY.DE, status: "Open" });
    expect(order).toMatchObject({ vatNumber: "DE123456789", company: "Beispiel GmbH", sortCompany: "beispiel gmbh" });
    const words = await getDb().selectFrom("orderWords").select("word").where("orderId", "=", id).execute();
    expect(words.map(({ word }) => word).sort()).toEqual(["beispiel", "gmbh"]);
  });

  test("[SAL-07] refuses a wrong value at its field and keeps what was typed", async () => {
    const id = await createInvoiceableOrder(anna);
    const typed = { purchaseOrderNumber: " ", vat: "GB1", city: "Leeds" };
    const answer = await errorsOf(await correct(id, "order", typed));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.errors).sort()).toEqual(["purchaseOrderNumber", "vat"]);
    expect(answer.values).toMatchObject({ city: "Leeds", vat: "GB1" });
    expect(await refused(await correct(id, "order", { purchaseOrderNumber: "x".repeat(36) }))).toHaveProperty(
      "purchaseOrderNumber",
    );
    expect(await correctionsOf(id)).toEqual([]);
  });
});

describe("[SAL-07] a correction of an order that is invoiced", () => {
  test("[SAL-07] cancels the invoice by a credit note and issues a new one with the same tax point", async () => {
    const id = await invoiced();
    const [first] = await invoicesOf(id);
    expect(await effectsOf(id, "order", { purchaseOrderNumber: "PO-8" })).toEqual([
      `Invoice ${first?.number} of €1,080.00 is cancelled by a credit note, and a new invoice of €1,080.00 is issued.`,
      "Both are sent by email, and are with the order.",
    ]);
    await correct(id, "order", { purchaseOrderNumber: "PO-8", email: "books@example-parts.com" });
    const [, note, second] = await invoicesOf(id);
    expect(note?.content.credits).toMatchObject({ number: first?.number });
    expect(note?.content.credits?.reason).toBe("Replaced by a corrected invoice. Corrected: Purchase order number.");
    expect(second?.content).toMatchObject({ purchaseOrderNumber: "PO-8", taxPoint: first?.content.taxPoint });
    expect(await correctionsOf(id)).toMatchObject([{ kind: "invoice", creditNoteId: note?.id, invoiceId: second?.id }]);
    expect(await saleOf(id)).toMatchObject({
      status: "Invoiced",
      invoiceNumber: second?.number,
      invoiceCents: 108_000,
    });
    const sentTo = (await invoiceMailsOf(id))
      .filter(({ invoiceId }) => invoiceId === note?.id)
      .map(({ recipient }) => recipient);
    expect(sentTo).toEqual(expect.arrayContaining(["books@example-parts.com", anna.email]));
  });

  test("[SAL-07] leaves the invoice when it does not state what differs", async () => {
    const id = await invoiced();
    const [first] = await invoicesOf(id);
    expect(await effectsOf(id, "order", { phoneNumber: "+44 20 7946 0999" })).toEqual([
      `The order is corrected. Invoice ${first?.number} stays as it is, because it does not state what you correct.`,
    ]);
    await correct(id, "order", { phoneNumber: "+44 20 7946 0999" });
    expect(await invoicesOf(id)).toHaveLength(1);
    expect(await kindsOf(id)).toEqual(["order"]);
  });

  test("[SAL-07] at another country has the new VAT and total on the new invoice", async () => {
    const id = await invoiced();
    await correct(id, "order", GERMAN);
    const [first, note, second] = await invoicesOf(id);
    expect([first, note, second].map((one) => one?.content.totalCents)).toEqual([108_000, 108_000, 90_000]);
    expect(second?.content).toMatchObject({ vatCents: 0, buyer: { vatNumber: "DE123456789" } });
    expect(await saleOf(id)).toMatchObject({ status: "Invoiced", totalCents: 90_000, invoiceCents: 90_000 });
    expect((await correctionsOf(id)).flatMap(({ changes }) => parseCorrections(changes))).toContainEqual({
      label: "Total",
      from: "€1,080.00",
      to: "€900.00",
    });
  });

  test("[SAL-07] is refused when staff recorded the invoice by hand, with what to do", async () => {
    const id = await createInvoiceableOrder(anna);
    await saveSale(people.admin.visitor, id, {
      invoiceNumber: `H-${id}`,
      invoiceTotal: "1080.00",
      invoiceDate: new Date().toISOString().slice(0, 10),
    });
    const errors = await refused(await correct(id, "order", { city: "Leeds" }));
    expect(Object.values(errors).join()).toContain(
      `Invoice H-${id} was not issued by the portal, so the portal cannot replace it. Contact us`,
    );
    expect(await correctionsOf(id)).toEqual([]);
    await correct(id, "order", { phoneNumber: "+44 20 7946 0999" });
    expect(await kindsOf(id)).toEqual(["order"]);
  });
});

describe("[SAL-07] a correction of an order that is paid", () => {
  test("[SAL-07] says what is to be paid back, to the customer and to staff, and the order stays paid", async () => {
    const id = await paid();
    const back = "€1,080.00 were paid and the total is €900.00: €180.00 are to be paid back.";
    expect(await effectsOf(id, "order", GERMAN)).toContain(back);
    await correct(id, "order", GERMAN);
    expect(await saleOf(id)).toMatchObject({ status: "Paid", totalCents: 90_000, paymentCents: 108_000 });
    const own = await openPage(await import("~/routes/home.orders.$id/route"), visitor, paths.order(id), {
      params: params(id),
    });
    expect(pageText(own.html)).toContain(back);
    const staff = await openPage(
      await import("~/routes/home.sale-orders_.details/route"),
      people.admin.visitor,
      paths.salesOrder(id),
    );
    expect(pageText(staff.html)).toContain(back);
    const mail = (await mailsOf(id)).find(({ dedupeKey }) => dedupeKey.startsWith("order-corrected:"));
    expect(mail?.text?.replaceAll(/\s+/g, " ")).toContain(back);
  });

  test("[SAL-07] with the same total stays paid, and the new invoice says so", async () => {
    const id = await paid();
    await correct(id, "order", { city: "Leeds" });
    expect(await saleOf(id)).toMatchObject({ status: "Paid", totalCents: 108_000 });
    expect((await invoicesOf(id)).at(-1)?.content.paidOn).toBeTruthy();
  });

  test("[SAL-07] of codes is refused when VAT is added, because codes that are paid stay available", async () => {
    const id = await paid(NOT_TAXED);
    const british = { country: String(COUNTRY.GB), vat: "GB123456789" };
    expect(await refused(await correct(id, "order", british))).toEqual({
      country: expect.stringContaining("Contact us: we record the new amount.") as string,
    });
    expect(await saleOf(id)).toMatchObject({ status: "Paid", totalCents: 90_000 });
  });

  test("[SAL-07] of a certificate keeps the payment and is invoiced with what is still to be paid", async () => {
    const { orderId: id } = await issueCertificate({ customer: anna, csr: makeCsr().der });
    const { netCents } = await saleOf(id);
    const german = { vatRate: 0, vatCents: 0, totalCents: netCents, countryId: COUNTRY.DE, vatNumber: "DE123456789" };
    const address = (await saleOf(await createInvoiceableOrder(anna))).invoiceAddress;
    const update = getDb()
      .updateTable("orders")
      .set({ ...german, invoiceAddress: address });
    await update.where("id", "=", id).execute();
    const before = await saleOf(id);
    const today = new Date().toISOString().slice(0, 10);
    await saveSale(people.admin.visitor, id, { status: "Paid", paymentDate: today });
    await correct(id, "order", { country: String(COUNTRY.GB), vat: "GB123456789" });
    const after = await saleOf(id);
    expect(after).toMatchObject({ status: "Invoiced", paymentCents: before.totalCents });
    expect(after.totalCents).toBe(before.netCents + Math.round(before.netCents * 0.2));
    const { html } = await openPage(await import("~/routes/home.orders.$id/route"), visitor, paths.order(id), {
      params: params(id),
    });
    expect(pageText(html)).toContain("are still to be paid.");

    const [cancelled, note, invoice] = (await invoicesOf(id)).map(({ content }) => content);
    if (!cancelled || !note || !invoice?.data) throw new Error("The invoice was not replaced.");
    const { number, issuedAt } = cancelled;
    expect(invoice).toMatchObject({
      prepaidCents: before.totalCents,
      replaces: { number, issuedAt, creditNote: note.number },
    });
    expect(notesOf(invoice).join(" ")).toContain(`replaces invoice ${number}`);
    const due = ((after.totalCents - before.totalCents) / 100).toFixed(2);
    const xml = eInvoiceXml(invoice, invoice.data);
    expect(xml).toContain(`<ram:TotalPrepaidAmount>${(before.totalCents / 100).toFixed(2)}<`);
    expect(xml).toContain(`<ram:DuePayableAmount>${due}<`);
    expect(xml.replace(/\s+/g, "")).toContain(`<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>${number}<`);
    const mail = (await mailsTo(anna.email)).findLast(({ subject }) => subject.includes(invoice.number));
    expect(mail?.text).toMatch(new RegExp(`Still to pay: +€${due}`));
    expect(mail?.text).toContain(`It replaces invoice ${number}, which credit note ${note.number} cancels.`);
    const dashboard = await openPage(await import("~/routes/home.dashboard"), visitor, paths.dashboard);
    expect(pageText(dashboard.html)).toContain(`€${due}`);
  });
});

describe("[SAL-07] a correction of contacts", () => {
  test("[SAL-07] of the technical contact changes everything, but not to the authentication contact", async () => {
    const { id: certificateId, orderId: id } = await issueCertificate({ customer: anna, csr: makeCsr().der });
    const other = JSON.parse((await readCertificate(certificateId)).authenticationContact) as { email: string };
    expect(await refused(await correct(id, "technical", { email: other.email }))).toEqual({
      email: "This is the email address of the authentication contact.",
    });
    await correct(id, "technical", { name: "Anna Braun", email: "edi@example-parts.com" });
    const { technicalContact } = await readCertificate(certificateId);
    expect(JSON.parse(technicalContact)).toMatchObject({ name: "Anna Braun", email: "edi@example-parts.com" });
    expect(await kindsOf(id)).toEqual(["order"]);
    expect(await invoicesOf(id)).toHaveLength(1);
  });

  test("[SAL-07] of the authentication contact keeps the email address, whatever is sent", async () => {
    const { id: certificateId, orderId: id } = await issueCertificate({ customer: anna, csr: makeCsr().der });
    const { authenticationEmail } = await readCertificate(certificateId);
    await correct(id, "contact", { name: "Boris Weiss", phoneNumber: "+49 421 55", email: "else@example.com" });
    const row = await readCertificate(certificateId);
    expect(row.authenticationEmail).toBe(authenticationEmail);
    expect(JSON.parse(row.authenticationContact)).toMatchObject({ name: "Boris Weiss", email: authenticationEmail });
  });

  test("[SAL-07] leads to 'Change the contact' while the contact has not answered", async () => {
    const { orderId: id } = await createCertificateOrder(anna, makeCsr().der);
    const answer = await load(id, "contact");
    expect(answer.headers.get("Location")).toBe(paths.order(id));
    expect((await toastOf(answer))?.text).toContain("change the contact instead");
    const { html } = await openPage(correctPage, visitor, correctionPath(id), { params: params(id) });
    expect(html).toContain(`/home/orders/${id}/contact`);
  });

  test("[SAL-07] waits for the certificate once the contact has authorised, because staff check this contact", async () => {
    const { orderId: id } = await createCertificateOrder(anna, makeCsr().der, checksDone());
    expect((await toastOf(await load(id, "contact")))?.text).toBe(
      "Our staff check this contact for the order. You can correct it once the certificate is issued.",
    );
  });

  test("[SAL-07] does not exist for an order of codes", async () => {
    const id = await createInvoiceableOrder(anna);
    for (const part of CORRECTION_PARTS.filter((name) => name !== "order"))
      expect((await toastOf(await load(id, part)))?.text).toContain("The order has no contacts");
  });
});

describe("[SAL-07] a correction is made once", () => {
  test("[SAL-07] when its form is sent twice, one after the other or at once", async () => {
    const id = await invoiced();
    const fields = { ...(await fieldsOf(id, "order", { city: "York" })), confirmed: "yes" };
    const answers = await Promise.all([send(id, "order", fields), send(id, "order", fields)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await send(id, "order", fields)).status).toBe(303);
    expect(await correctionsOf(id)).toHaveLength(1);
    expect(await invoicesOf(id)).toHaveLength(3);
  });

  test("[SAL-07] and a form that shows an older state is told what is stored now", async () => {
    const id = await createInvoiceableOrder(anna);
    const first = { ...(await fieldsOf(id, "order", { city: "York" })), confirmed: "yes" };
    const second = { ...(await fieldsOf(id, "order", { city: "Hull" })), confirmed: "yes" };
    const answers = await Promise.all([send(id, "order", first), send(id, "order", second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const late = answers.find(({ status }) => status === 409) as Response;
    expect(Object.values(await refused(late)).join()).toMatch(
      /changed meanwhile.*Invoice address: City \('(York|Hull)'\)/,
    );
    expect(await correctionsOf(id)).toHaveLength(1);
  });

  test("[SAL-07] and one that changes nothing is refused", async () => {
    const id = await createInvoiceableOrder(anna);
    const errors = await refused(await correct(id, "order", {}));
    expect(Object.values(errors)).toEqual(["You changed nothing, so there is nothing to correct."]);
  });

  test("[SAL-07] numbers have no gaps, also when corrections are made at once and some are refused", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => createInvoiceableOrder(anna)));
    await Promise.all(ids.map((id, index) => correct(id, "order", index === 1 ? {} : { city: `Town ${index}` })));
    const rows = await getDb().selectFrom("orderCorrections").select(["year", "number"]).orderBy("number").execute();
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  });
});

describe("[SAL-07] a correction is refused", () => {
  test("[SAL-07] 30 days after the invoice, and after five corrections, with the reason", async () => {
    const id = await invoiced();
    for (let count = 0; count < 5; count++) await correct(id, "order", { phoneNumber: `+44 20 7946 00${count}` });
    expect((await toastOf(await load(id)))?.text).toBe(
      "This order was corrected 5 times, and cannot be corrected again. Contact us.",
    );
    const old = await createInvoiceableOrder(anna, {
      status: "Invoiced",
      invoiceNumber: "OLD-1",
      invoiceDate: addDays(new Date(), -31),
    });
    expect((await toastOf(await load(old)))?.text).toContain("for 30 days from its invoice");
    const { html } = await openPage(await import("~/routes/home.orders.$id/route"), visitor, paths.order(old), {
      params: params(old),
    });
    expect(html).not.toContain(correctionPath(old));
  });

  test("[SAL-07] to members who may not order, and to other companies", async () => {
    const id = await createInvoiceableOrder(anna);
    const fields = { ...(await fieldsOf(id, "order", { city: "York" })), confirmed: "yes" };
    const technical = await signedInAs(await createColleague(anna, "technical"));
    expect((await send(id, "order", fields, technical)).status).toBe(303);
    const stranger = await signedInAs(await createUser());
    expect((await send(id, "order", fields, stranger)).status).toBe(404);
    expect(await correctionsOf(id)).toEqual([]);
    expect(await findOrder(getDb(), id)).not.toBeNull();
  });
});

import { afterEach, beforeAll, describe, expect, test } from "vitest";
import * as detailsPage from "~/routes/home.certificate-details.$id";
import * as orderPage from "~/routes/home.certificate-queue.$id";
import { addDays, formatDate } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { findOrder } from "~db/repositories/orders.server";
import { atOneMoment } from "../support/clock";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { type MadeCsr, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { labelsOf } from "../support/summary";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

type Order = Awaited<ReturnType<typeof createCertificateOrder>>;
let anna: Awaited<ReturnType<typeof createUser>>;
let staff: Visitor;
let csr: MadeCsr;

beforeAll(async () => {
  anna = await createUser();
  staff = await signedInAs(await createAdmin({ email: "olga@example.org" }));
  csr = makeCsr();
});

const order = (given: Parameters<typeof createCertificateOrder>[2] = {}) =>
  createCertificateOrder(anna, csr.der, given);
const sale = async ({ orderId }: Order) => {
  const row = await findOrder(getDb(), orderId);
  if (!row) throw new Error("The order is not there.");
  return row;
};
const EMPTY = { invoiceNumber: "", invoiceDate: "", paymentDate: "", remarks: "" };
const fieldsFor = async (of: Order, fields: Record<string, string>) => ({
  intent: "payment",
  seen: (await sale(of)).updatedAt,
  ...EMPTY,
  ...fields,
});
const save = async (of: Order, fields: Record<string, string>, who = staff) =>
  run(orderPage.action, await who.post(`/home/certificate-queue/${of.id}`, await fieldsFor(of, fields)), {
    id: String(of.id),
  });
const auditOf = ({ orderId }: Order) =>
  getDb().selectFrom("auditEntries").selectAll().where("orderId", "=", orderId).orderBy("id").execute();

/** Every test can give out the same number. */
afterEach(async () => {
  await getDb().updateTable("orders").set({ invoiceNumber: null }).execute();
});

const INVOICE = { invoiceNumber: "2026-0001", invoiceDate: "2026-11-02" };
const PAID = { isPaid: "on", paymentDate: "2026-11-05" };

describe("invoice and payment of a certificate order", () => {
  test("[MAN-03][CER-06] invoice, then payment: status, dates and totals; the owner sees them; each is in the audit trail", async () => {
    const made = await order();
    const answer = await save(made, INVOICE);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/home/certificate-queue/${made.id}`]);
    expect(await sale(made)).toMatchObject({
      status: "Invoiced",
      invoiceNumber: "2026-0001",
      invoiceDate: "2026-11-02T00:00:00.000Z",
      invoiceCents: 34_800,
      paymentDate: null,
      paymentCents: null,
    });
    await save(made, { ...INVOICE, ...PAID, paymentDate: "05/11/2026", remarks: "By bank transfer" });
    expect(await sale(made)).toMatchObject({
      status: "Paid",
      paymentDate: "2026-11-05T00:00:00.000Z",
      paymentCents: 34_800,
      remarks: "By bank transfer",
    });
    expect((await auditOf(made)).map(({ event, actorName, message }) => [event, actorName, message])).toEqual([
      [
        "order.payment-recorded",
        "olga@example.org",
        "The order is Invoiced: invoice 2026-0001 of 02/11/2026, not paid.",
      ],
      [
        "order.payment-recorded",
        "olga@example.org",
        "The order is Paid: invoice 2026-0001 of 02/11/2026, paid on 05/11/2026. By bank transfer",
      ],
    ]);
    const path = `/home/certificate-details/${made.id}`;
    const { html } = await openPage(detailsPage, await signedInAs(anna), path, { params: { id: String(made.id) } });
    for (const shown of [/Paid Up<\/dt><dd>Yes/, /Payment Date<\/dt><dd><time[^>]*>05\/11\/2026/, /2026-0001/])
      expect(html).toMatch(shown);
  });

  test("[MAN-03] also without an invoice number, and whatever became of the certificate", async () => {
    const made = await order({ status: "Issued" });
    expect((await save(made, PAID)).status).toBe(303);
    expect(await sale(made)).toMatchObject({ status: "Paid", invoiceNumber: null, invoiceCents: null });
  });

  test("[MAN-03] leaving Paid needs a note and takes the payment away", async () => {
    const made = await order();
    await save(made, { ...INVOICE, ...PAID });
    const refused = await errorsOf(await save(made, INVOICE));
    expect(refused).toMatchObject({
      status: 422,
      errors: { remarks: "Say why an order that was paid is not paid any more." },
    });
    expect((await sale(made)).status).toBe("Paid");
    await save(made, { ...INVOICE, remarks: "The bank took it back" });
    expect(await sale(made)).toMatchObject({ status: "Invoiced", paymentDate: null, paymentCents: null });
    await save(made, {});
    expect(await sale(made)).toMatchObject({ status: "Open", invoiceNumber: null, remarks: "The bank took it back" });
  });

  test("[MAN-03] a free order is not Invoiced by its number", async () => {
    const made = await order();
    await getDb().updateTable("orders").set({ totalCents: 0 }).where("id", "=", made.orderId).execute();
    await save(made, INVOICE);
    expect((await sale(made)).status).toBe("Open");
  });

  test.each([
    [{ invoiceNumber: "1" }, { invoiceDate: "This field is required." }],
    [{ invoiceDate: "2026-11-02" }, { invoiceNumber: "This field is required." }],
    [{ isPaid: "on" }, { paymentDate: "This field is required." }],
    [{ ...INVOICE, invoiceNumber: "x".repeat(71) }, { invoiceNumber: "Entered value is not valid." }],
    [{ ...INVOICE, invoiceDate: "31/02/2026" }, { invoiceDate: "Invalid value." }],
    [{ ...PAID, paymentDate: "2026-02-30" }, { paymentDate: "Invalid value." }],
    [{ ...PAID, paymentDate: "2999-01-01" }, { paymentDate: "The day is still to come." }],
    [{ ...INVOICE, invoiceDate: "0001-01-01" }, { invoiceDate: "Invalid value." }],
    [{ ...PAID, paymentDate: "31/12/1999" }, { paymentDate: "Invalid value." }],
    [
      { paymentDate: PAID.paymentDate },
      { paymentDate: "Tick Paid to record the payment, or leave the payment date empty." },
    ],
    [{ remarks: "x".repeat(501) }, { remarks: "Entered value is not valid." }],
    [{ seen: "yesterday" }, { seen: "Invalid value." }],
  ])("[MAN-03] %j is refused", async (fields, errors) => {
    const made = await order();
    const before = await sale(made);
    const answer = await errorsOf(await save(made, fields));
    expect([answer.status, answer.errors]).toEqual([422, expect.objectContaining(errors)]);
    expect(await sale(made)).toEqual(before);
  });

  test("[MAN-03] at their edges: 70 and 500 characters, today", async () => {
    await atOneMoment(async (now) => {
      const made = await order();
      const [today, tomorrow] = [now, addDays(now, 1)].map((day) => formatDate(day.toISOString()));
      const late = await errorsOf(await save(made, { ...PAID, paymentDate: tomorrow ?? "" }));
      expect(late.errors).toEqual({ paymentDate: "The day is still to come." });
      const fields = {
        invoiceNumber: "ü".repeat(70),
        invoiceDate: today ?? "",
        isPaid: "on",
        paymentDate: today ?? "",
      };
      expect((await save(made, { ...fields, remarks: "x".repeat(500) })).status).toBe(303);
      expect(await sale(made)).toMatchObject({ invoiceNumber: "ü".repeat(70), remarks: "x".repeat(500) });
    });
  });

  test("[MAN-03] the same form sent twice records once; one made before somebody else's change is refused", async () => {
    const made = await order();
    const sent = await fieldsFor(made, { ...INVOICE, ...PAID });
    const send = async (fields: Record<string, string>) =>
      run(orderPage.action, await staff.post(`/home/certificate-queue/${made.id}`, fields), { id: String(made.id) });
    const answers = await Promise.all([send(sent), send(sent)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await send(sent)).status).toBe(303);
    expect(await auditOf(made)).toHaveLength(1);
    const stale = await errorsOf(await send({ ...sent, invoiceNumber: "2026-0002" }));
    expect(stale.errors.form).toMatch(/changed by somebody else in the meantime/);
    expect((await sale(made)).invoiceNumber).toBe("2026-0001");
  });

  test("[MAN-03] no two orders have one invoice number, also when both are given it at once", async () => {
    const [first, second] = [await order(), await order()];
    const answers = await Promise.all([save(first, INVOICE), save(second, INVOICE)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const [winner, loser] = answers[0].status === 303 ? [first, second] : [second, first];
    await save(winner, { ...INVOICE, ...PAID });
    expect((await sale(winner)).status).toBe("Paid");
    const { errors } = await errorsOf(await save(loser, { ...INVOICE, invoiceNumber: " 2026-0001 " }));
    expect(errors).toEqual({ invoiceNumber: `Order SO-${winner.orderId} has this invoice number.` });
    expect(await sale(loser)).toMatchObject({ status: "Open", invoiceNumber: null });
    expect((await save(loser, { ...INVOICE, invoiceNumber: "2026-0002" })).status).toBe(303);
  });

  test("[MAN-03] nothing is recorded for a cancelled order; the page says so", async () => {
    const made = await order();
    await getDb().updateTable("orders").set({ status: "Cancelled" }).where("id", "=", made.orderId).execute();
    const message = "The sales order is cancelled: nothing more is recorded for it.";
    expect((await errorsOf(await save(made, PAID))).errors).toEqual({ form: message });
    const path = `/home/certificate-queue/${made.id}`;
    const { html } = await openPage(orderPage, staff, path, { params: { id: String(made.id) } });
    expect(html).toContain(message);
    expect(html).not.toContain('name="invoiceNumber"');
  });

  test("[MAN-03] the page: labels and summary agree, what was typed stays", async () => {
    const made = await order();
    const fields = await fieldsFor(made, {
      __rvfInternalFormId: "payment",
      invoiceNumber: "7",
      isPaid: "on",
      paymentDate: "31/02/2026",
    });
    const path = `/home/certificate-queue/${made.id}`;
    const { status, html } = await openPage(orderPage, staff, path, { params: { id: String(made.id) }, fields });
    expect(status).toBe(422);
    const labels = labelsOf(html);
    expect(labels.map(([, inSummary]) => inSummary)).toEqual(["Invoice date", "Payment date"]);
    for (const [label, inSummary] of labels) expect(label.replace(" (optional)", "")).toBe(inSummary);
    expect(html).toMatch(/name="invoiceNumber"[^>]*value="7"|value="7"[^>]*name="invoiceNumber"/);
  });

  test("[DSH-03] only administrators record it; a missing order is not found", async () => {
    const made = await order();
    expect((await save(made, PAID, await signedInAs(anna))).headers.get("Location")).toBe("/");
    expect((await sale(made)).status).toBe("Open");
    const request = await staff.post("/", await fieldsFor(made, PAID));
    expect((await run(orderPage.action, request, { id: "99999999" })).status).toBe(404);
  });
});

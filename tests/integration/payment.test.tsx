import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { CERTIFICATE_PENDING, SALES_ORDER_FORM } from "~/domain/orders/sales-order-fields";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import { getDb } from "~db/connection.server";
import { createCertificateOrder } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { type MadeCsr, useOpenssl } from "../support/openssl";
import { labelsOf, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { auditOfSale, saleFields, saleOf } from "../support/sales-orders";
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

/** Stores an order that was placed before the dates in INVOICE and PAID. */
const order = async (given: Parameters<typeof createCertificateOrder>[2] = {}) => {
  const made = await createCertificateOrder(anna, csr.der, given);
  const createdAt = new Date("2026-11-01T10:00:00Z");
  await getDb().updateTable("orders").set({ createdAt }).where("id", "=", made.orderId).execute();
  return made;
};
const sale = ({ orderId }: Order) => saleOf(orderId);
const fieldsFor = async (of: Order, fields: Record<string, string>) => ({
  ...(await saleFields(of.orderId, fields)),
  intent: "payment",
  confirmed: "yes",
});
const save = async (of: Order, fields: Record<string, string>, who = staff) =>
  run(orderPage.action, await who.post(`/home/certificate-queue/${of.id}`, await fieldsFor(of, fields)), {
    id: String(of.id),
  });
const auditOf = ({ orderId }: Order) => auditOfSale(orderId);

/** Frees the invoice numbers, so that every test can use the same one. */
afterEach(async () => {
  await getDb().updateTable("orders").set({ invoiceNumber: null }).execute();
});

const INVOICE = { invoiceNumber: "2026-0001", invoiceTotal: "348", invoiceDate: "2026-11-02" };
const PAID = { status: "Paid", paymentDate: "2026-11-05" };

describe("the payment of a certificate order in the queue", () => {
  test("[MAN-03][CER-06] follows the invoice: status, dates and totals, shown to the owner, each in the audit trail", async () => {
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
    await save(made, { ...PAID, paymentDate: "05/11/2026", remarks: "By bank transfer" });
    expect(await sale(made)).toMatchObject({
      status: "Paid",
      paymentDate: "2026-11-05T00:00:00.000Z",
      paymentCents: 34_800,
      remarks: "By bank transfer",
    });
    expect((await auditOf(made)).map(({ event, actorName, message }) => [event, actorName, message])).toEqual([
      [
        "order.updated",
        "olga@example.org",
        "Status: Open → Invoiced. Invoice number: – → 2026-0001. Invoice total: – → €348.00. Invoice date: – → 02/11/2026.",
      ],
      [
        "order.updated",
        "olga@example.org",
        "Status: Invoiced → Paid. Remarks: – → By bank transfer. Payment total: – → €348.00. Payment date: – → 05/11/2026.",
      ],
    ]);
    const path = `/home/certificate-details/${made.id}`;
    const { html } = await openPage(detailsPage, await signedInAs(anna), path, { params: { id: String(made.id) } });
    for (const shown of [/Paid Up<\/dt><dd>Yes/, /Payment Date<\/dt><dd><time[^>]*>05\/11\/2026/, /2026-0001/])
      expect(html).toMatch(shown);
  });

  test("[MAN-03] can be recorded without an invoice number and whatever became of the certificate", async () => {
    const made = await order({ status: "Issued" });
    expect((await save(made, PAID)).status).toBe(303);
    expect(await sale(made)).toMatchObject({ status: "Paid", invoiceNumber: null, invoiceCents: null });
  });

  test("[MAN-03] [SAL-03] when taken back makes the order of an ended certificate Cancelled, not Open", async () => {
    for (const status of ["Rejected", "Cancelled"] as const) {
      const made = await order({ status });
      await save(made, { ...INVOICE, ...PAID });
      expect((await save(made, { status: "Open", remarks: "Paid back" })).status).toBe(303);
      expect(await sale(made)).toMatchObject({ status: "Cancelled", paymentDate: null, paymentCents: null });
      await getDb().updateTable("orders").set({ invoiceNumber: null }).execute();
    }
    const issued = await order({ status: "Issued" });
    await save(issued, PAID);
    await save(issued, { status: "Open", remarks: "The bank took it back" });
    expect((await sale(issued)).status).toBe("Open");
    const path = `/home/certificate-details/${issued.id}`;
    const { html } = await openPage(detailsPage, await signedInAs(anna), path, { params: { id: String(issued.id) } });
    expect(textsOf(html, 'dt:contains("Note") + dd li')).toEqual([
      "The certificate stays valid until it is revoked.",
      "The payment of €348.00 of 05/11/2026 is not recorded any more: the order is not paid.",
      "Reason: The bank took it back",
    ]);
  });

  test("[SAL-03] cannot cancel an order whose certificate is pending", async () => {
    const made = await order();
    const { status, errors } = await errorsOf(await save(made, { status: "Cancelled" }));
    expect({ status, errors }).toEqual({ status: 422, errors: { status: CERTIFICATE_PENDING } });
    expect((await sale(made)).status).toBe("Open");
  });

  test("[MAN-03] [PUR-09] the queue says that the VAT number was not checked", async () => {
    const made = await order();
    const unchecked = { vatNumber: "DE1", vatNumberChecked: false, countryId: 276 };
    await getDb().updateTable("orders").set(unchecked).where("id", "=", made.orderId).execute();
    const path = `/home/certificate-queue/${made.id}`;
    const { html } = await openPage(orderPage, staff, path, { params: { id: String(made.id) } });
    expect(textsOf(html, 'dt:contains("VAT number") + dd')).toEqual([
      "DE1, not checked: no VAT service is configured for it",
    ]);
    expect(textsOf(html, ".facts > .look")).toContain(
      "VAT number DE1, not checked: no VAT service is configured for it",
    );
  });

  test("[MAN-03] a refused form is shown in the queue: labels and summary agree and the typed values stay", async () => {
    const made = await order();
    const fields = {
      ...(await fieldsFor(made, { invoiceNumber: "7", ...PAID, paymentDate: "31/02/2026" })),
      __rvfInternalFormId: SALES_ORDER_FORM,
    };
    const path = `/home/certificate-queue/${made.id}`;
    const { status, html } = await openPage(orderPage, staff, path, { params: { id: String(made.id) }, fields });
    expect(status).toBe(422);
    expect(select(html, `details[open] #${SALES_ORDER_FORM}`)).toHaveLength(1);
    const labels = labelsOf(html);
    expect(labels.map(([, inSummary]) => inSummary)).toEqual(["Payment date"]);
    for (const [label, inSummary] of labels) expect(label.replace(" (optional)", "")).toBe(inSummary);
    expect(valueOf(html, "invoiceNumber")).toBe("7");
  });

  test("[DSH-03] can be recorded by administrators only; a missing order is not found", async () => {
    const made = await order();
    expect((await save(made, PAID, await signedInAs(anna))).headers.get("Location")).toBe("/home/dashboard");
    expect((await sale(made)).status).toBe("Open");
    const request = await staff.post("/", await fieldsFor(made, PAID));
    expect((await run(orderPage.action, request, { id: "99999999" })).status).toBe(404);
  });
});

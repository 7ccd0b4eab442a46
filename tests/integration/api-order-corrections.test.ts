import { beforeAll, describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { WIRE_CONTACT } from "../support/api-orders";
import { createCertificateOrder, issueCertificate, readCertificate } from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { saleOf } from "../support/sales-orders";

usePortal();
const { makeCsr } = useOpenssl();

let anna: Awaited<ReturnType<typeof createUser>>;
let client: ApiClient;
beforeAll(async () => {
  anna = await createUser();
  client = await apiClientOf(anna.email, TEST_PASSWORD);
});

interface Corrected {
  correctionNumber: string;
  kind: string;
  changes: { field: string; from: string; to: string }[];
  creditNote: string;
  invoice: string;
}

/** The answer to a correction: the correction, and the amounts of the order after it. */
interface CorrectedOrder extends Corrected {
  orderStatus: string;
  orderTotal: number;
  paymentTotal: number | null;
}

const correct = (path: string, body: object, headers: Record<string, string> = {}) =>
  client.post<CorrectedOrder>(path, body, headers);
const countOf = async (orderId: number) =>
  (await getDb().selectFrom("orderCorrections").select("id").where("orderId", "=", orderId).execute()).length;

describe("[SAL-07] [API-02] CorrectOrder", () => {
  test("[SAL-07] [API-02] corrects the purchase order number alone, and replaces the invoice that states it", async () => {
    const { orderId } = await issueCertificate({ customer: anna, csr: makeCsr().der });
    const { status, content } = await correct("certificates/CorrectOrder", { orderId, purchaseOrderNumber: "PO-99" });
    expect(status).toBe(200);
    const [, note, invoice] = await invoicesOf(orderId);
    expect(content).toMatchObject({ kind: "invoice", creditNote: note?.number, invoice: invoice?.number });
    expect(content.correctionNumber).toMatch(/^COR-\d{4}-\d{4}$/);
    expect(content.changes).toMatchObject([{ field: "Purchase order number", to: "PO-99" }]);
    const staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
    const whole = await staff.get<{ corrections: Corrected[] }>("codes/getSalesOrder", { id: orderId });
    const { orderStatus, orderTotal, paymentTotal, ...correction } = content;
    expect({ orderStatus, orderTotal, paymentTotal }).toEqual({
      orderStatus: "Invoiced",
      orderTotal: 348,
      paymentTotal: null,
    });
    expect(whole.content.corrections).toEqual([correction]);
  });

  test("[SAL-07] [API-02] corrects both contacts, without the address that authorised the order", async () => {
    const { id, orderId } = await issueCertificate({ customer: anna, csr: makeCsr().der });
    const { email: _, ...contact } = WIRE_CONTACT;
    const technicalContact = { ...WIRE_CONTACT, email: anna.email, name: "Anna Braun" };
    const body = { orderId, technicalContact, authenticationContact: { ...contact, name: "Bert Blau" } };
    expect((await correct("certificates/CorrectOrder", body)).content.kind).toBe("order");
    const row = await readCertificate(id);
    expect(JSON.parse(row.technicalContact)).toMatchObject({ name: "Anna Braun" });
    expect(JSON.parse(row.authenticationContact)).toMatchObject({ name: "Bert Blau", email: row.authenticationEmail });
    const withEmail = await correct("certificates/CorrectOrder", { orderId, authenticationContact: WIRE_CONTACT });
    expect(withEmail).toMatchObject({
      status: 422,
      errors: { "authenticationContact.email": expect.any(String) as string },
    });
  });

  test("[SAL-07] [API-02] with a key makes one correction, however often and whenever it is sent", async () => {
    const orderId = await createInvoiceableOrder(anna);
    const body = { orderId, purchaseOrderNumber: "PO-once" };
    const key = { "Idempotency-Key": `once-${orderId}` };
    const [first, second] = await Promise.all([
      correct("codes/CorrectOrder", body, key),
      correct("codes/CorrectOrder", body, key),
    ]);
    expect(second.content).toEqual(first.content);
    await correct("codes/CorrectOrder", { orderId, purchaseOrderNumber: "PO-later" });
    expect((await correct("codes/CorrectOrder", body, key)).content).toEqual(first.content);
    expect(await countOf(orderId)).toBe(2);
    expect((await saleOf(orderId)).purchaseOrderNumber).toBe("PO-later");
    const other = await correct("codes/CorrectOrder", { ...body, purchaseOrderNumber: "PO-other" }, key);
    expect(other).toMatchObject({ status: 422, code: "idempotency.other" });
  });

  test("[SAL-07] [API-02] is refused for an order of the other kind, for nothing, and for a contact that has not answered", async () => {
    const codes = await createInvoiceableOrder(anna);
    const { orderId } = await createCertificateOrder(anna, makeCsr().der);
    const number = { purchaseOrderNumber: "PO-1" };
    expect((await correct("certificates/CorrectOrder", { orderId: codes, ...number })).status).toBe(404);
    expect((await correct("codes/CorrectOrder", { orderId, ...number })).status).toBe(404);
    expect(await correct("codes/CorrectOrder", { orderId: codes })).toMatchObject({ code: "correction.nothing" });
    expect(await correct("codes/CorrectOrder", { orderId: codes, purchaseOrderNumber: " " })).toMatchObject({
      status: 422,
      errors: { purchaseOrderNumber: expect.any(String) as string },
    });
    const { email: _, ...contact } = WIRE_CONTACT;
    expect(await correct("certificates/CorrectOrder", { orderId, authenticationContact: contact })).toMatchObject({
      status: 409,
      code: "correction.contact",
    });
  });
});

import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { issueCreditNote, issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { LIST_TEXTS } from "~/domain/orders/list/texts";
import { getDb } from "~db/connection.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { createCertificateOrder } from "../support/certificates";
import { createCodeOrder } from "../support/codes";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { createInvoiceableOrder, invoicesOf } from "../support/invoices";
import { usePortal } from "../support/portal";

usePortal();

const clientOf = ({ email }: { email: string }) => apiClientOf(email, TEST_PASSWORD);

type User = Awaited<ReturnType<typeof createUser>>;
const people = {} as { anna: User; admin: User; customer: ApiClient; staff: ApiClient; colleague: ApiClient };
const ids: Record<string, number> = {};

beforeAll(async () => {
  const anna = await createUser();
  const other = await createUser();
  const admin = await createAdmin();
  const [customer, staff, colleague] = [
    await clientOf(anna),
    await clientOf(admin),
    await clientOf(await createAdmin()),
  ];
  Object.assign(people, { anna, admin, customer, staff, colleague });
  ids.oftp = await createCodeOrder(anna, "OFTP", 1);
  ids.full = await createCodeOrder(anna, "Full", 2, { status: "Paid" });
  ids.basic = await createCodeOrder(other, "Basic", 3);
  ids.certificate = (await createCertificateOrder(other)).orderId;
});

describe("the CSV file", () => {
  const prepare = (salesOrderIds: unknown) => people.staff.post<string>("codes/exportCsv", { salesOrderIds });

  test("[API-04] [SAL-02] contains the chosen orders for one hour, for the user who chose them", async () => {
    const { content: fileName } = await prepare([ids.full, ids.oftp, ids.full]);
    const query = `codes/downloadCsv?fileName=${fileName}`;
    const file = await people.staff.send(query);
    expect(file.headers.get("Content-Disposition")).toBe(`attachment; filename="${fileName}"`);
    const rows = parse<{ Number: string }>(await file.text(), { bom: true, columns: true });
    expect(rows.map((row) => row.Number)).toEqual([`SO-${ids.full}`, `SO-${ids.oftp}`]);
    const { ticket } = (await people.staff.post<{ ticket: string }>("token/ticket")).content;
    const byAddress = await people.staff.send(`${query}&access_token=${ticket}`, { headers: { Authorization: "" } });
    expect(byAddress.status).toBe(200);
    expect((await people.colleague.send(query)).status).toBe(404);
    expect((await people.staff.send("codes/downloadCsv?fileName=sales-orders.csv")).status).toBe(404);
    await getDb()
      .updateTable("drafts")
      .set({ expiresAt: new Date() })
      .where("kind", "=", "sales-orders-file")
      .execute();
    expect((await people.staff.send(query)).status).toBe(404);
  });

  test("[API-04] [SAL-02] is generated as it is read, and nothing fails when the client disconnects", async () => {
    const { content: fileName } = await prepare([ids.full]);
    const { body } = await people.staff.send(`codes/downloadCsv?fileName=${fileName}`);
    if (!body) throw new Error("the file is empty");
    await body.cancel("the client is gone");
    const isOver = await body.getReader().closed.then(() => true);
    expect(isOver).toBe(true);
  });

  test("[API-06] accepts one to a hundred ids of orders", async () => {
    const many = (count: number) => Array.from({ length: count }, () => ids.full);
    expect((await prepare(many(100))).status).toBe(200);
    const refused: [unknown, string][] = [
      [many(101), LIST_TEXTS.tooMany],
      [[], LIST_TEXTS.chooseSome],
      [[999_999], "These sales orders do not exist: SO-999999."],
      [[ids.full, 999_999, 5, 5], "These sales orders do not exist: SO-999999, SO-5."],
    ];
    for (const [given, message] of refused)
      expect(await prepare(given)).toMatchObject({ status: 422, errors: { salesOrderIds: message } });
    for (const given of ["1", [0], ["1"], [1.5], null]) expect((await prepare(given)).status).toBe(422);
  });
});

test("[API-04] [SAL-05] the invoice of an order of codes is for its owner and for administrators", async () => {
  const id = await createInvoiceableOrder(people.anna);
  const get = (client: ApiClient, salesOrderId: number) =>
    client.send(`invoices/DownloadCodeInvoice?salesOrderId=${salesOrderId}`);
  expect(await (await get(people.customer, id)).json()).toMatchObject({
    errors: { salesOrderId: "There is no invoice for this order." },
  });
  await issueInvoice(id, { id: people.admin.id, name: "staff" });
  const invoice = await get(people.customer, id);
  expect(invoice.headers.get("Content-Type")).toBe("application/pdf");
  expect(
    Buffer.from(await invoice.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
  expect((await get(people.staff, id)).status).toBe(200);

  const named = async () => (await get(people.customer, id)).headers.get("Content-Disposition");
  const staff = { id: people.admin.id, name: "staff" };
  const [first] = await invoicesOf(id);
  await issueCreditNote({ orderId: id, invoiceId: first?.id ?? 0, reason: "Wrong company" }, staff);
  expect(await named()).toBe(`attachment; filename="${first?.number}.pdf"`);
  await issueInvoice(id, staff);
  expect(await named()).toBe(`attachment; filename="${(await invoicesOf(id)).at(-1)?.number}.pdf"`);

  for (const other of [ids.basic ?? 0, ids.certificate ?? 0, 999_999])
    expect((await get(people.customer, other)).status).toBe(404);
  expect((await get(people.staff, ids.certificate ?? 0)).status).toBe(404);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemActor } from "~/domain/audit/audit.service.server";
import { cancelOrder, rejectOrder } from "~/domain/certificates/queue/decisions.service.server";
import { revokeCertificate } from "~/domain/certificates/revocation/revocation.service.server";
import { importRegister } from "~/domain/codes/register-file/import.service.server";
import { WEBHOOK_DATA } from "~/domain/webhooks/payloads.schema";
import { apiClientOf } from "../support/api";
import { type AnsweredCode } from "../support/api-codes";
import { codeOrderBody } from "../support/api-orders";
import { createCertificateOrder, issueCertificate } from "../support/certificates";
import { personOf } from "../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { hookTo, runWebhooks, useWebhookReceiver, verified, type Received } from "../support/webhook-receiver";

usePortal();
const receiver = useWebhookReceiver();

/** Runs the jobs. Returns the messages that the receiver got, after a check of each against its described schema. */
async function messages(secret: string) {
  await runWebhooks();
  return receiver.received.map((one: Received) => {
    const { type, data } = verified(one, secret);
    WEBHOOK_DATA[type as keyof typeof WEBHOOK_DATA].strict().parse(data);
    return { type, data };
  });
}

test("[API-01] webhooks tell of orders of codes, invoices, credit notes and registered codes", async () => {
  const owner = await createUser();
  const client = await apiClientOf(owner.email, TEST_PASSWORD);
  const staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
  const { secret } = await hookTo(owner, receiver.url());
  const prices = (await client.get<{ codeType: string; price: number }[]>("codes/getPricings")).content;
  const { codeType = "", price = 0 } = prices.find((one) => one.codeType === "OSCAR Code Basic") ?? {};
  const order = { codeType, quantity: 1, netAmount: price };
  const place = async () =>
    (await client.post<{ orderId: number }>("codes/completePurchaseJourney", codeOrderBody({ order }))).content.orderId;
  const [kept, cancelled] = [await place(), await place()];
  expect((await client.post("codes/CorrectOrder", { orderId: kept, purchaseOrderNumber: "PO-9" })).status).toBe(200);
  const paid = { status: "Paid", paymentTotal: 1.2 * price };
  expect((await staff.post("codes/updateSalesOrder", { id: kept, ...paid })).status).toBe(200);
  const { content: code } = await client.post<AnsweredCode>("codes/registerNewEntity", {
    code: { codeType, entityName: "Plant Nord" },
  });
  expect((await staff.post("codes/updateSalesOrder", { id: cancelled, status: "Invoiced" })).status).toBe(200);
  const end = { id: cancelled, status: "Cancelled", remarks: "Ordered twice" };
  expect((await staff.post("codes/updateSalesOrder", end)).status).toBe(200);
  const got = await messages(secret);
  expect(got.map(({ type, data }) => [type, data["orderId"]])).toEqual(
    expect.arrayContaining([
      ["order.placed", kept],
      ["order.placed", cancelled],
      ["order.corrected", kept],
      ["invoice.issued", cancelled],
      ["invoice.credited", cancelled],
      ["order.cancelled", cancelled],
      ["code.registered", kept],
    ]),
  );
  expect(got.filter(({ type }) => type === "order.cancelled")).toHaveLength(1);
  expect(got.find(({ type }) => type === "code.registered")?.data).toMatchObject({
    codeId: code.id,
    codeType: "Basic",
  });
  expect(got.find(({ type }) => type === "invoice.issued")?.data).toMatchObject({ totalCents: 120 * price });
});

test("[API-01] webhooks tell of rejected and cancelled orders, and of revoked certificates", async () => {
  const owner = await createUser();
  const staff = await personOf(await createAdmin());
  const { secret } = await hookTo(owner, receiver.url());
  const [rejected, cancelled] = [await createCertificateOrder(owner), await createCertificateOrder(owner)];
  await rejectOrder(rejected.id, "Not the applicant's name", staff);
  await cancelOrder(cancelled.id, "", staff);
  const { id: certificateId } = await issueCertificate({ customer: owner });
  const about = { certificateId, user: await personOf(owner), reason: 4 as const, description: "", date: new Date() };
  await revokeCertificate(about);
  const got = await messages(secret);
  expect(got.map(({ type, data }) => [type, data["certificateId"]])).toEqual(
    expect.arrayContaining([
      ["order.rejected", rejected.id],
      ["order.cancelled", cancelled.id],
      ["certificate.issued", certificateId],
      ["certificate.revoked", certificateId],
    ]),
  );
  expect(got.find(({ type }) => type === "certificate.revoked")?.data).toMatchObject({
    status: "Revoked",
    reason: "Superseded",
  });
});

test("[API-01] webhooks tell of codes that are registered by the import of a register, and not of ended ones", async () => {
  const owner = await createUser();
  const { secret } = await hookTo(owner, receiver.url());
  const folder = mkdtempSync(join(tmpdir(), "marque-import-"));
  const file = join(folder, "register.csv");
  const rows = ["7AAA,Full,,Registered", "7AAA,Full,01,Registered", "7BBB,Basic,,Expired"];
  const lines = rows.map((row) => `${owner.username},${row},Plant`);
  writeFileSync(file, ["owner,code,codeType,subcode,status,entityName", ...lines].join("\n"));
  const nothing = () => undefined;
  const options = { file, dryRun: false, actor: systemActor("test"), onProblem: nothing, onExisting: nothing };
  expect(await importRegister(options)).toMatchObject({ bad: 0, imported: 3 });
  rmSync(folder, { recursive: true });
  const got = await messages(secret);
  expect(got.map(({ type, data }) => [type, data["code"], data["orderId"]])).toEqual([
    ["code.registered", "7AAA00", null],
    ["code.registered", "7AAA01", null],
  ]);
});

import { expect, test } from "vitest";
import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { type ApiClient, apiClientOf, newProgram } from "../support/api";
import { codeOrderBody, type Completion, ordersOf } from "../support/api-orders";
import { mailsOf } from "../support/certificates";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";

usePortal();

const COMPLETE = "codes/completePurchaseJourney";
const PURCHASE = "codes/purchaseCode";

interface Sending {
  path?: string;
  key?: string;
}

const order = (client: ApiClient, body: unknown, { path = COMPLETE, key }: Sending = {}): Promise<Completion> =>
  client.post(path, body, key === undefined ? {} : { "Idempotency-Key": key });

const countOf = async (id: number) => (await ordersOf(id)).length;

test("[API-03] completePurchaseJourney stores order, audit entry and mail as the wizard does, and returns the order", async () => {
  const { user, client } = await newProgram();
  const answer = await order(client, codeOrderBody({ order: { netAmount: 2700, codePricing: { price: 900 } } }));
  expect(answer).toMatchObject({ status: 200, success: true });
  const [stored, ...others] = await ordersOf(user.id);
  expect(others).toEqual([]);
  expect(answer.content).toEqual({ orderId: stored?.id, isNotified: true });
  expect(stored).toMatchObject({
    purchaseOrderType: 0,
    codeType: "Full",
    numberOfCodes: 3,
    status: "Open",
    draftId: null,
    isNotified: true,
    purchaseOrderNumber: "PO-4711",
    netCents: 270_000,
    vatCents: 54_000,
    totalCents: 324_000,
    company: "Example Parts Ltd",
    countryId: 826,
    vatNumber: "GB123456789",
  });
  const entries = await getDb()
    .selectFrom("auditEntries")
    .select(["event", "message", "reference", "userId"])
    .where("orderId", "=", answer.content.orderId)
    .execute();
  expect(entries).toEqual([
    {
      event: "order.created",
      userId: user.id,
      reference: "PO-4711",
      message: expect.stringContaining("of 3 × OSCAR Code Full placed.") as string,
    },
  ]);
  expect((await mailsOf(answer.content.orderId)).map(({ recipient }) => recipient)).toEqual([user.email]);
  expect((await client.get("codes/getcodesavailable")).content).toEqual([]);
});

test("[API-03] purchaseCode is invoiced to the account's own address or to the given one", async () => {
  const { user, client } = await newProgram({ countryId: 276 });
  await updateUser(getDb(), user.id, { vatNumber: "DE123456789" });
  const { order: codes, invoiceAddress } = codeOrderBody();
  expect((await order(client, { order: codes }, { path: PURCHASE })).status).toBe(200);
  expect((await order(client, { order: codes, invoiceAddress: null }, { path: PURCHASE })).status).toBe(200);
  expect((await order(client, { order: codes, invoiceAddress }, { path: PURCHASE })).status).toBe(200);
  const stored = (await ordersOf(user.id)).map(({ countryId, vatNumber, vatCents }) => [
    countryId,
    vatNumber,
    vatCents,
  ]);
  expect(stored).toEqual([
    [276, "DE123456789", 0],
    [276, "DE123456789", 0],
    [826, "GB123456789", 54_000],
  ]);
  expect((await order(client, { order: codes })).errors).toHaveProperty("invoiceAddress");
});

test("[API-03] mistakes in the account's own address are reported and nothing is ordered", async () => {
  const { user, client } = await newProgram({ telephoneNumber: "0".repeat(35) });
  const answer = await order(client, { order: codeOrderBody().order }, { path: PURCHASE });
  expect(answer).toMatchObject({ status: 422, errors: { "invoiceAddress.phoneNumber": expect.any(String) as string } });
  expect(await countOf(user.id)).toBe(0);
});

test.each([
  ["OSCAR Code Full", "Full"],
  ["Full OSCAR Code", "Full"],
  ["oscar code", "Full"],
  ["OSCAR Light Code", "Basic"],
  ["Basic", "Basic"],
  [CODE_TYPE_LABELS.OFTP, "OFTP"],
])("[API-03] the code type %j is %s", async (codeType, expected) => {
  const { user, client } = await newProgram();
  await order(client, codeOrderBody({ order: { codeType } }));
  expect((await ordersOf(user.id))[0]).toMatchObject({ codeType: expected });
});

test.each([1, 999, undefined, null])("[API-03] %j codes can be ordered", async (quantity) => {
  const { user, client } = await newProgram();
  expect((await order(client, codeOrderBody({ order: { quantity } }))).status).toBe(200);
  expect((await ordersOf(user.id))[0]).toMatchObject({ numberOfCodes: quantity ?? 1 });
});

test.each([0, 1000, -1, 2 ** 40])("[API-06] a quantity of %j is refused with 400 at its field", async (quantity) => {
  const { user, client } = await newProgram();
  expect(await order(client, codeOrderBody({ order: { quantity } }))).toMatchObject({
    status: 400,
    code: "order.quantity",
    errors: { "order.quantity": "The quantity must be a whole number from 1 to 999." },
  });
  expect(await countOf(user.id)).toBe(0);
});

test("[API-06] every broken rule of the steps is reported at its field", async () => {
  const { user, client } = await newProgram();
  const broken = {
    order: { purchaseOrderNumber: "x".repeat(36), codeType: "OSCAR", termsAndConditionsAccepted: null },
    invoiceAddress: { name: "<b></b>", countryId: 276, vat: " " },
  };
  expect((await order(client, codeOrderBody(broken))).errors).toEqual({
    "order.purchaseOrderNumber": "Entered value is not valid.",
    "order.codeType": "The value is not part of the collection.",
    "order.termsAndConditionsAccepted": "You must agree to the terms and conditions to purchase a certificate.",
    "invoiceAddress.name": "Markup is not allowed.",
    "invoiceAddress.vat": "Please insert a VAT number.",
  });
  const empty = { order: { purchaseOrderNumber: "<i>", codeType: " " }, invoiceAddress: { countryId: -1 } };
  expect((await order(client, codeOrderBody(empty))).errors).toEqual({
    "order.purchaseOrderNumber": "Markup is not allowed.",
    "order.codeType": "This field is required.",
    "invoiceAddress.countryId": "This field is required.",
  });
  for (const [field, value] of [
    ["quantity", 1.5],
    ["quantity", "3"],
    ["colour", "red"],
  ] as const)
    expect((await order(client, codeOrderBody({ order: { [field]: value } }))).errors).toHaveProperty([
      `order.${field}`,
    ]);
  expect(await countOf(user.id)).toBe(0);
});

test("[API-06] an order at another price than expected is refused", async () => {
  const { user, client } = await newProgram();
  const answer = await order(client, codeOrderBody({ order: { netAmount: 2699.99 } }));
  expect(answer).toMatchObject({ status: 422, code: "order.amounts" });
  expect(answer.errors["order.netAmount"]).toContain("€2,700.00");
  expect(await countOf(user.id)).toBe(0);
});

test("[API-06] administrators who are no applicants and requests without a token are refused", async () => {
  const client = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
  for (const path of [COMPLETE, PURCHASE]) expect((await order(client, codeOrderBody(), { path })).status).toBe(403);
  client.token = "";
  for (const path of [COMPLETE, PURCHASE]) expect((await order(client, codeOrderBody(), { path })).status).toBe(401);
});

test.each([COMPLETE, PURCHASE])(
  "[API-03] %s: one key makes one order, and without a key each request makes one",
  async (path) => {
    const { user, client } = await newProgram();
    const body = codeOrderBody();
    const first = await order(client, body, { path, key: "order-1" });
    expect(first.status).toBe(200);
    expect(await order(client, body, { path, key: "order-1" })).toEqual(first);
    expect(await countOf(user.id)).toBe(1);
    const other = codeOrderBody({ order: { quantity: 4 } });
    expect(await order(client, other, { path, key: "order-1" })).toMatchObject({
      status: 422,
      code: "idempotency.other",
    });
    for (const expected of [2, 3]) {
      expect((await order(client, body, { path })).status).toBe(200);
      expect(await countOf(user.id)).toBe(expected);
    }
  },
);

test("[API-03] a key counts for one call only, and a refused order does not use it up", async () => {
  const { user, client } = await newProgram();
  expect((await order(client, codeOrderBody({ order: { quantity: 0 } }), { key: "k" })).status).toBe(400);
  expect((await order(client, codeOrderBody(), { key: "k" })).status).toBe(200);
  expect((await order(client, codeOrderBody(), { key: "k", path: PURCHASE })).code).toBe("idempotency.other");
  expect(await countOf(user.id)).toBe(1);
});

test("[API-03] three requests at once with one key make one order and get one answer", async () => {
  const { user, client } = await newProgram();
  const answers = await Promise.all([1, 2, 3].map(() => order(client, codeOrderBody(), { key: "at-once" })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ content }) => content.orderId)).size).toBe(1);
  expect(await countOf(user.id)).toBe(1);
  expect(await mailsOf(answers[0]?.content.orderId ?? 0)).toHaveLength(1);
});

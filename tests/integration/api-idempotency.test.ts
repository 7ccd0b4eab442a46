import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { takeOrderKey } from "~db/repositories/order-keys.server";
import { deleteEndedRows } from "~db/repositories/upkeep.server";
import { inTransaction } from "~db/transaction.server";
import { newProgram } from "../support/api";
import { COMPLETE, complete, orderBody, ordersOf } from "../support/api-orders";
import { mailsOf } from "../support/certificates";
import { untilOthersWait } from "../support/lock-waits";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";

usePortal();
const request = useOpenssl().makeCsr({ san: ["DNS:oftp.acme.example"] });

const countOf = async (id: number) => (await ordersOf(id)).length;

test("[API-03] without a key each request is an order", async () => {
  const { user, client } = await newProgram();
  const first = await complete(client, orderBody(request.pem));
  const second = await complete(client, orderBody(request.pem));
  expect(second.status).toBe(200);
  expect(second.content.orderId).not.toBe(first.content.orderId);
  expect(await countOf(user.id)).toBe(2);
});

test("[API-03] with the same key there is one order and one answer, whatever the order of the fields", async () => {
  const { user, client } = await newProgram();
  const body = orderBody(request.pem);
  const { order, ...rest } = body;
  const first = await complete(client, body, "order-1");
  const second = await complete(client, { order, ...rest }, "order-1");
  expect(first.status).toBe(200);
  expect(second).toEqual(first);
  expect(await countOf(user.id)).toBe(1);
  const rows = await getDb().selectFrom("apiIdempotency").selectAll().where("userId", "=", user.id).execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("order-1");
});

test("[API-03] a repeated request is answered as before even when the order could no longer be placed", async () => {
  await getDb()
    .insertInto("promotionCodes")
    .values({ months: 12, createdAt: new Date(), valueCents: 100, code: "APIPROMO2" })
    .execute();
  const { client } = await newProgram();
  const body = orderBody(request.pem, { order: { promoCode: "APIPROMO2" } });
  const first = await complete(client, body, "promo");
  expect(await complete(client, body, "promo")).toEqual(first);
});

test("[API-03] the same key with other content is refused without naming the order", async () => {
  const { user, client } = await newProgram();
  await complete(client, orderBody(request.pem), "order-2");
  const answer = await complete(client, orderBody(request.pem, { order: { validityPeriod: 3 } }), "order-2");
  expect(answer).toMatchObject({ status: 422, code: "idempotency.other", content: null });
  expect(await countOf(user.id)).toBe(1);
});

test("[API-03] a refused order leaves its key free", async () => {
  const { user, client } = await newProgram();
  expect((await complete(client, orderBody("nonsense"), "order-3")).status).toBe(422);
  expect((await complete(client, orderBody(request.pem), "order-3")).status).toBe(200);
  expect(await countOf(user.id)).toBe(1);
});

test("[API-06] the key of another user is another key", async () => {
  const [one, other] = [await newProgram(), await newProgram()];
  const first = await complete(one.client, orderBody(request.pem), "shared");
  const second = await complete(other.client, orderBody(request.pem), "shared");
  expect(second.status).toBe(200);
  expect(second.content.orderId).not.toBe(first.content.orderId);
});

test("[API-03] two requests at once with one key make one order and get one answer", async () => {
  const { user, client } = await newProgram();
  const body = orderBody(request.pem);
  const answers = await Promise.all([1, 2, 3].map(() => complete(client, body, "at-once")));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ content }) => content.orderId)).size).toBe(1);
  expect(await countOf(user.id)).toBe(1);
  expect(await mailsOf(answers[0]?.content.orderId ?? 0)).toHaveLength(2);
});

test("[API-03] a request that waits for another with its key places the order when that one crashes", async () => {
  const { user, client } = await newProgram();
  const keyHash = createHash("sha256").update("crashing").digest("hex");
  let taken = (): void => undefined;
  const isTaken = new Promise<void>((resolve) => (taken = resolve));
  const crash = inTransaction(async (trx) => {
    await takeOrderKey(trx, { userId: user.id, keyHash, fingerprint: "other", expiresAt: new Date() });
    taken();
    await untilOthersWait();
    throw new Error("crash");
  });
  await isTaken;
  const [crashed, answer] = await Promise.allSettled([crash, complete(client, orderBody(request.pem), "crashing")]);
  expect(crashed.status).toBe("rejected");
  expect(answer).toMatchObject({ status: "fulfilled", value: { status: 200 } });
  expect(await countOf(user.id)).toBe(1);
});

test.each(["", "a b", "ä", "x".repeat(201)])("[API-06] the key %j is not valid", async (key) => {
  const { user, client } = await newProgram();
  const answer = await client.send(COMPLETE, {
    method: "POST",
    body: JSON.stringify(orderBody(request.pem)),
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ success: false, errorCode: "idempotency.key" });
  expect(await countOf(user.id)).toBe(0);
});

test("[API-03] a key of 200 characters is valid; keys are deleted after seven days", async () => {
  const { user, client } = await newProgram();
  expect((await complete(client, orderBody(request.pem), "x".repeat(200))).status).toBe(200);
  const keys = async () =>
    (await getDb().selectFrom("apiIdempotency").where("userId", "=", user.id).selectAll().execute()).length;
  const day = 86_400_000;
  await deleteEndedRows(getDb(), new Date(Date.now() + 7 * day - 60_000));
  expect(await keys()).toBe(1);
  await deleteEndedRows(getDb(), new Date(Date.now() + 7 * day + 60_000));
  expect(await keys()).toBe(0);
});

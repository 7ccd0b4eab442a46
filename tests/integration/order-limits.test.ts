import { expect, test } from "vitest";
import { type Limit, LIMITS, tryToConsume } from "~/domain/limits/tries.server";
import { paths } from "~/lib/paths";
import * as resend from "~/routes/resend-verification";
import { administer, confirmed } from "../support/administration";
import { newProgram } from "../support/api";
import { codeOrderBody, ordersOf } from "../support/api-orders";
import { createAdmin, createUser } from "../support/factories";
import { createInvoiceableOrder } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { saveSale } from "../support/sales-orders";
import { customer, newEmail, saveSecret } from "../support/user-details";
import { errorsOf, jsonOf, run, signedInAs } from "../support/visitor";
import { buyerAtInvoice, INVOICE } from "./purchase-journey";

usePortal({ RATE_LIMITS: "on" });
const { makeCsr } = useOpenssl();
const { pem } = makeCsr();

async function use(limit: Limit, key: string | number, left: number): Promise<void> {
  for (let count = LIMITS[limit].points; count > left; count -= 1) await tryToConsume(limit, key);
}

const COMPLETE = "codes/completePurchaseJourney";
const NEW =
  /^Too many attempts: at most 30 orders by an account without a confirmed email address or an accepted order within 24 hours\. Please try again in 2[34] hours\.$/;

test("[PUR-09] the 31st order of a new account in a day is refused; the page keeps the typed values and names the limit", async () => {
  const buyer = await buyerAtInvoice(pem);
  await use("order-new-account", buyer.user.id, 0);
  const answer = await buyer.invoice({ name: "Berta Typed" });
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(23 * 3600);
  const { status, errors, values } = await errorsOf(answer);
  expect(status).toBe(429);
  expect(errors.form).toMatch(NEW);
  expect(values).toMatchObject({ name: "Berta Typed", company: INVOICE.company });
  expect(await ordersOf(buyer.user.id)).toEqual([]);
  const page = await jsonOf<{ values: { name: string } }>(await buyer.invoicePage());
  expect(page.values.name).toBe("Berta Typed");
});

test("[API-06] a program gets 429 with Retry-After; refused orders and repetitions with a key do not count", async () => {
  const { user, client } = await newProgram();
  await use("order-new-account", user.id, 2);
  const key = { "Idempotency-Key": "one" };
  for (let count = 0; count < 3; count += 1)
    expect((await client.post(COMPLETE, codeOrderBody(), key)).status).toBe(200);
  const taken = await client.post(COMPLETE, codeOrderBody({ order: { quantity: 2 } }), key);
  expect(taken.status).toBe(422);
  expect((await client.post(COMPLETE, codeOrderBody())).status).toBe(200);

  const body = JSON.stringify(codeOrderBody());
  const headers = { "Content-Type": "application/json" };
  const refused = await client.send(COMPLETE, { method: "POST", body, headers });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(23 * 3600);
  expect(await refused.json()).toMatchObject({ success: false, errorCode: "rate-limit", responseText: NEW_TEXT });
  expect(await ordersOf(user.id)).toHaveLength(2);
});

const NEW_TEXT = expect.stringMatching(NEW) as string;

test("[PUR-09] an account with an order accepted by staff may place 300 a day, unless its address is unconfirmed", async () => {
  const staff = await signedInAs(await createAdmin());
  for (const [given, status] of [
    [{}, 200],
    [{ emailVerifiedAt: null }, 429],
  ] as const) {
    const { user, client } = await newProgram(given);
    await use("order-new-account", user.id, 0);
    const id = await createInvoiceableOrder(user);
    expect((await client.post(COMPLETE, codeOrderBody())).status).toBe(429);
    expect((await saveSale(staff, id, { status: "Invoiced" })).status).toBe(303);
    expect((await client.post(COMPLETE, codeOrderBody())).status).toBe(status);
  }
});

test("[USR-03] changing the address repeatedly sends five messages an hour", async () => {
  const { user, visitor } = await customer({ emailVerifiedAt: null });
  await use("verification-account", user.id, 1);
  expect((await saveSecret(visitor, { email: newEmail() })).status).toBe(303);
  const { status, errors } = await errorsOf(await saveSecret(visitor, { email: newEmail() }));
  expect(status).toBe(429);
  expect(errors.form).toContain("at most 5 messages with a link for one account within 60 minutes");
});

test("[MAN-02] staff can also send an account five links an hour", async () => {
  const staff = await signedInAs(await createAdmin());
  const user = await createUser({ emailVerifiedAt: null });
  const send = () => administer(staff, user, { intent: "send-verification" });
  await use("verification-account", user.id, 1);
  expect((await send()).status).toBe(303);
  const { status, errors } = await errorsOf(await send());
  expect(status).toBe(429);
  expect(errors.form).toContain("at most 5 messages with a link for one account within 60 minutes");
});

test("[MAN-02] a link to choose a password that staff send counts as a code that the person asks for", async () => {
  const staff = await signedInAs(await createAdmin());
  const user = await createUser();
  const send = () => confirmed(staff, user, { intent: "send-reset-link" });
  await use("recovery-account", user.email, 1);
  expect((await send()).status).toBe(303);
  const { status, errors } = await errorsOf(await send());
  expect(status).toBe(429);
  expect(errors.form).toContain("at most 5 reset codes for one email address within 60 minutes");
});

test("[REG-03] at most ten messages with a link are sent in a day", async () => {
  const user = await createUser({ emailVerifiedAt: null });
  const visitor = await signedInAs(user);
  await use("verification-day", user.id, 0);
  visitor.follow(await run(resend.action, await visitor.post(paths.resendVerification())));
  expect(await toastOf(visitor)).toContain("at most 10 messages with a link for one account within 24 hours");
});

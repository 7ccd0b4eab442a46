import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { readSubjectNames } from "~/domain/certificates/subject-names";
import { getDb } from "~db/connection.server";
import { takeOrderKey } from "~db/repositories/order-keys.server";
import { deleteEndedRows } from "~db/repositories/upkeep.server";
import { inTransaction } from "~db/transaction.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { COMPLETE, complete, orderBody, ordersOf } from "../support/api-orders";
import { auditEventsOf, mailsOf, setCertificate } from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { certificateOf } from "./purchase-journey";
import { issueEnding } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();
const SUBJECT = "/C=DE/ST=Bayern/L=Muenchen/O=Acme GmbH/OU=EDI/CN=oftp.acme.example";
const NAMES = ["DNS:oftp.acme.example"];
const request = makeCsr({ san: NAMES });

async function newProgram(given: Parameters<typeof createUser>[0] = {}) {
  const user = await createUser(given);
  return { user, client: await apiClientOf(user.email, TEST_PASSWORD) };
}

describe("[API-03] CompletePurchaseJourney", () => {
  test("[API-03] stores order, certificate, audit entries and mails as the wizard does, and answers the order", async () => {
    const { user, client } = await newProgram();
    const answer = await complete(client, orderBody(request.pem, { order: { oftpid: "o0177abcd" } }));
    expect(answer).toMatchObject({ status: 200, success: true });
    const [order, ...others] = await ordersOf(user.id);
    expect(others).toEqual([]);
    expect(answer.content).toEqual({ orderId: order?.id, isNotified: true });
    expect(order).toMatchObject({
      purchaseOrderType: 1,
      status: "Open",
      draftId: null,
      purchaseOrderNumber: "PO-88213",
      company: "Example Parts Ltd",
      countryId: 826,
      vatNumber: "GB123456789",
      isNotified: 1,
    });
    const certificate = await certificateOf(answer.content.orderId);
    expect(certificate).toMatchObject({
      userId: user.id,
      status: "Pending",
      orderType: "Initial",
      commonName: "oftp.acme.example",
      ssid: "O0177ABCD",
      isManualSsid: 1,
      validityYears: 2,
      hasSecureSession: 1,
      hasEmail: 1,
      hasEncryption: 1,
      hasFileSigning: 1,
      authenticationEmail: "berta.brown@example-parts.com",
    });
    expect(await auditEventsOf(certificate.id)).toEqual(["order.created", "certificate.requested"]);
    expect((await mailsOf(answer.content.orderId)).map(({ recipient }) => recipient)).toEqual([
      user.email,
      "berta.brown@example-parts.com",
    ]);
  });

  test.each([
    [
      { hasEmail: false, hasEncryption: false },
      { hasSecureSession: 1, hasEmail: 0, hasEncryption: 0, hasFileSigning: 1 },
    ],
    [
      { showUsageAttributes: false, hasEmail: false },
      { hasEmail: 1, hasSecureSession: 1 },
    ],
    [{ validityPeriod: undefined }, { validityYears: 1 }],
    [{ promoCode: " ", oftpid: " " }, { ssid: null }],
  ])("[API-03] the order %j makes %j", async (order, expected) => {
    const { client } = await newProgram();
    const { content } = await complete(client, orderBody(makeCsr({ san: NAMES }).pem, { order }));
    expect(await certificateOf(content.orderId)).toMatchObject(expected);
  });

  const PROMOTION = { months: 12, createdAt: new Date(), valueCents: 5000 };
  test("[API-03] a promotion code is redeemed, once", async () => {
    await getDb()
      .insertInto("promotionCodes")
      .values({ ...PROMOTION, code: "APIPROMO1" })
      .execute();
    const { user, client } = await newProgram();
    const body = (csr: string) => orderBody(csr, { order: { promoCode: "APIPROMO1" } });
    const { content } = await complete(client, body(makeCsr().pem));
    expect((await ordersOf(user.id)).find(({ id }) => id === content.orderId)).toMatchObject({
      promotionCode: "APIPROMO1",
      discountCents: 5000,
    });
    const again = await complete(client, body(makeCsr().pem));
    expect(again).toMatchObject({ status: 422, code: "promotion-code" });
    expect(again.errors["order.promoCode"]).toContain("has already been used");
    expect(await ordersOf(user.id)).toHaveLength(1);
  });

  test("[API-06] every broken rule of all three steps is said at its field", async () => {
    const { user, client } = await newProgram();
    const answer = await complete(client, {
      ...orderBody(" ", {
        order: {
          purchaseOrderNumber: "x".repeat(51),
          validityPeriod: 5,
          oftpid: "short",
          promoCode: "12345678",
          termsAndConditionsAccepted: false,
          hasSecureSession: false,
          hasEmail: false,
          hasEncryption: false,
          hasFileSigning: false,
        },
        authenticationContact: { email: "info@example-parts.com", countryId: -1, name: " " },
        invoiceAddress: { vat: "123", phoneNumber: "none" },
      }),
    });
    expect(answer.status).toBe(422);
    expect(answer.errors).toEqual({
      "authenticationContact.name": "This field is required.",
      "authenticationContact.email": expect.stringContaining("Authentication Contact details do not meet") as string,
      "authenticationContact.countryId": "This field is required.",
      "order.csr": "Please import your CSR and check details below.",
      "order.purchaseOrderNumber": expect.any(String) as string,
      "order.termsAndConditionsAccepted": "You must agree to the terms and conditions to purchase a certificate.",
      "order.oftpid": "Valid OFTP ID should be between 9 and 25 characters.",
      "order.showUsageAttributes": "Please select at least one certificate usage attribute",
      "order.validityPeriod": "The value is not part of the collection.",
      "order.promoCode": "Promotion codes must be 9 or 10 characters in length.",
      "invoiceAddress.phoneNumber": "Telephone number is not valid.",
      "invoiceAddress.vat": expect.any(String) as string,
    });
    expect(await ordersOf(user.id)).toEqual([]);
  });

  test.each([
    ["a CSR that is none", { order: { csr: "hello" } }, "order.csr", "Failed to decode the imported CSR"],
    [
      "a country that is not there",
      { authenticationContact: { countryId: 999 } },
      "authenticationContact.countryId",
      "",
    ],
    ["the caller as contact", { authenticationContact: { email: "SELF" } }, "authenticationContact.email", ""],
    ["an unknown promotion code", { order: { promoCode: "NOSUCHONE" } }, "order.promoCode", "is invalid"],
    ["an order that is nobody's", { previousOrderId: 999_999 }, null, ""],
    ["a field that is not there", { order: { colour: "red" } }, "order.colour", "no such field"],
  ])("[API-06] %s is refused", async (_, parts, field, message) => {
    const { user, client } = await newProgram();
    const text = JSON.stringify(orderBody(request.pem, parts)).replace("SELF", user.email);
    const answer = await complete(client, JSON.parse(text));
    expect(answer.status).toBe(field === null ? 404 : 422);
    if (field) expect(answer.errors[field]).toContain(message);
    expect(await ordersOf(user.id)).toEqual([]);
  });

  test("[API-06] a private key is refused and repeated nowhere", async () => {
    const { client } = await newProgram();
    const key = "-----BEGIN PRIVATE KEY-----\nMIIBVQIBADANBgkq\n-----END PRIVATE KEY-----";
    const answer = await complete(client, orderBody(key), "with-a-key");
    expect(answer.status).toBe(422);
    expect(answer.errors["order.csr"]).toContain("private key");
    expect(JSON.stringify(answer)).not.toContain("MIIBVQIBADANBgkq");
  });

  test("[API-06] administrators who are no applicants order nothing, and without a token nobody does", async () => {
    const admin = await createAdmin();
    const client = await apiClientOf(admin.email, TEST_PASSWORD);
    expect((await complete(client, orderBody(request.pem))).status).toBe(403);
    client.token = "";
    expect((await complete(client, orderBody(request.pem))).status).toBe(401);
  });
});

describe("[API-03] sent again", () => {
  const countOf = async (id: number) => (await ordersOf(id)).length;

  test("[API-03] without a key each request is an order", async () => {
    const { user, client } = await newProgram();
    const first = await complete(client, orderBody(request.pem));
    const second = await complete(client, orderBody(request.pem));
    expect(second.status).toBe(200);
    expect(second.content.orderId).not.toBe(first.content.orderId);
    expect(await countOf(user.id)).toBe(2);
  });

  test("[API-03] with the same key it is one order and one answer, in whatever order the fields are", async () => {
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

  test("[API-03] it is answered as before when the order could not be placed any more", async () => {
    await getDb()
      .insertInto("promotionCodes")
      .values({ months: 12, createdAt: new Date(), valueCents: 100, code: "APIPROMO2" })
      .execute();
    const { client } = await newProgram();
    const body = orderBody(request.pem, { order: { promoCode: "APIPROMO2" } });
    const first = await complete(client, body, "promo");
    expect(await complete(client, body, "promo")).toEqual(first);
  });

  test("[API-03] the same key with something else is refused, and names no order", async () => {
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

  test("[API-06] somebody else's key is another key", async () => {
    const [one, other] = [await newProgram(), await newProgram()];
    const first = await complete(one.client, orderBody(request.pem), "shared");
    const second = await complete(other.client, orderBody(request.pem), "shared");
    expect(second.status).toBe(200);
    expect(second.content.orderId).not.toBe(first.content.orderId);
  });

  test("[API-03] two at once with one key make one order and get one answer", async () => {
    const { user, client } = await newProgram();
    const body = orderBody(request.pem);
    const answers = await Promise.all([1, 2, 3].map(() => complete(client, body, "at-once")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ content }) => content.orderId)).size).toBe(1);
    expect(await countOf(user.id)).toBe(1);
    expect(await mailsOf(answers[0]?.content.orderId ?? 0)).toHaveLength(2);
  });

  test("[API-03] who sends it while another request with its key crashes places the order", async () => {
    const { user, client } = await newProgram();
    const keyHash = createHash("sha256").update("crashing").digest("hex");
    let taken = (): void => undefined;
    const isTaken = new Promise<void>((resolve) => (taken = resolve));
    const crash = inTransaction(async (trx) => {
      await takeOrderKey(trx, { userId: user.id, keyHash, fingerprint: "other", expiresAt: new Date() });
      taken();
      await sleep(500);
      throw new Error("crash");
    });
    await isTaken;
    const [crashed, answer] = await Promise.allSettled([crash, complete(client, orderBody(request.pem), "crashing")]);
    expect(crashed.status).toBe("rejected");
    expect(answer).toMatchObject({ status: "fulfilled", value: { status: 200 } });
    expect(await countOf(user.id)).toBe(1);
  });

  test.each(["", "a b", "ä", "x".repeat(201)])("[API-06] the key %j is none", async (key) => {
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

  test("[API-03] a key of 200 characters is one; keys are forgotten after seven days", async () => {
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
});

describe("[API-03] renewing", () => {
  let client: ApiClient;
  let user: Awaited<ReturnType<typeof createUser>>;
  beforeAll(async () => ({ client, user } = await newProgram()));

  const old = (days = 100, order = {}) =>
    issueEnding(days, { customer: user, csr: makeCsr({ subject: SUBJECT, san: NAMES }).der, order });
  const newCsr = () => makeCsr({ subject: SUBJECT, san: NAMES }).pem;

  test("[API-03] GetRenewalState answers what the renewal begins with", async () => {
    const original = await old(100, { hasEmail: false, ssid: "O0177ABCD", isManualSsid: true });
    const answer = await client.get<Record<string, unknown>>("certificates/GetRenewalState", {
      orderId: original.orderId,
    });
    expect(answer.status).toBe(200);
    expect(answer.content).toMatchObject({
      orderId: original.orderId,
      certificateId: original.id,
      commonName: "oftp.acme.example",
      certificateExpiryDate: `${original.expiryDate?.slice(0, 10)}T00:00:00Z`,
      authenticationContact: { name: "Bernd Boss", email: "bernd.boss@example-parts.com", countryId: 826 },
      hasSecureSession: true,
      hasEmail: false,
      oftpid: "O0177ABCD",
    });
    const periods = answer.content.validityPeriods as { validityPeriod: number; message: string }[];
    expect(periods.map(({ validityPeriod }) => validityPeriod)).toEqual([0, 1, 2, 3, 4]);
    expect(periods.every(({ message }) => message === "")).toBe(true);
  });

  test("[API-03] a renewal by its order's id takes subject, names and usage over; the state then says what is pending", async () => {
    const original = await old(100, { hasEmail: false });
    const body = orderBody(newCsr(), {
      previousOrderId: original.orderId,
      order: { hasEmail: true, oftpid: "O0177EVIL", promoCode: "WHATEVER1", validityPeriod: 0 },
    });
    const answer = await complete(client, body, "renewal");
    expect(answer.status).toBe(200);
    const renewal = await certificateOf(answer.content.orderId);
    expect(renewal).toMatchObject({
      orderType: "Renewal",
      previousCertificateId: original.id,
      status: "Pending",
      hasEmail: 0,
      hasSecureSession: 1,
      ssid: null,
      validityYears: 0,
    });
    expect(readSubjectNames(renewal.subjectAlternateName)).toEqual(readSubjectNames(original.subjectAlternateName));
    expect(await complete(client, body, "renewal")).toEqual(answer);

    const again = await complete(client, body);
    expect(again).toMatchObject({ status: 422, code: "certificate.renew" });
    expect(again.errors.previousOrderId).toContain("is pending");
    const state = await client.get("certificates/GetRenewalState", { orderId: original.orderId });
    expect(state.status).toBe(422);
    expect(state.errors.orderId).toContain("is pending");
  });

  test("[API-03] two renewals of one certificate at once, each with a key of its own: one order", async () => {
    const original = await old();
    const before = (await ordersOf(user.id)).length;
    const bodies = [newCsr(), newCsr()].map((csr) => orderBody(csr, { previousOrderId: original.orderId }));
    const answers = await Promise.all(bodies.map((body, index) => complete(client, body, `one-of-two-${index}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await ordersOf(user.id)).toHaveLength(before + 1);
  });

  test("[API-03] a CSR of another subject and years that cannot be are refused at their fields", async () => {
    const original = await old(30);
    const { pem } = makeCsr({ subject: "/C=DE/L=Muenchen/O=Other GmbH/CN=oftp.acme.example", san: NAMES });
    const other = await complete(client, orderBody(pem, { previousOrderId: original.orderId }));
    expect(other.status).toBe(422);
    expect(other.errors["order.csr"]).toContain("Received Other GmbH, Expected Acme GmbH");
    const none = await complete(
      client,
      orderBody(newCsr(), { previousOrderId: original.orderId, order: { validityPeriod: 0 } }),
    );
    expect(none.errors["order.validityPeriod"]).toContain("not possible to select 0 years");
  });

  const verify = (orderId: number, years: number | string, by = client) =>
    by.get<string>("certificates/verifyCertificateExpiryDate", { orderId, years });

  test("[API-03] verifyCertificateExpiryDate answers min, max or nothing", async () => {
    const soon = await old(30);
    expect(await verify(soon.orderId, 0)).toMatchObject({ status: 200, content: "min" });
    expect(await verify(soon.orderId, 1)).toMatchObject({ status: 200, content: "" });
    const late = await issueEnding(500, { customer: user, csr: makeCsr().der });
    expect(await verify(late.orderId, 4)).toMatchObject({ status: 200, content: "max" });
    expect(await verify(late.orderId, 0)).toMatchObject({ status: 200, content: "" });
    expect((await verify(late.orderId, 5)).errors.years).toBe("The value is not part of the collection.");
    expect((await verify(late.orderId, "x")).status).toBe(422);
  });

  test("[API-06] others see and renew nothing of it", async () => {
    const original = await old();
    const stranger = await newProgram();
    const { orderId } = original;
    expect((await stranger.client.get("certificates/GetRenewalState", { orderId })).status).toBe(404);
    expect((await verify(orderId, 1, stranger.client)).status).toBe(404);
    const order = await complete(stranger.client, orderBody(newCsr(), { previousOrderId: orderId }));
    expect(order.status).toBe(404);
    expect(await ordersOf(stranger.user.id)).toEqual([]);
  });

  test("[API-03] what cannot be renewed yet, or was revoked, is said", async () => {
    const original = await old();
    await setCertificate(original.id, { status: "Revoked" });
    const state = await client.get("certificates/GetRenewalState", { orderId: original.orderId });
    expect(state).toMatchObject({ status: 422, text: "The certificate has been revoked." });
  });
});

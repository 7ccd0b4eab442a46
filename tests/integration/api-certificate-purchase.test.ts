import { describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { apiClientOf, newProgram } from "../support/api";
import { complete, orderBody, ordersOf } from "../support/api-orders";
import { auditEventsOf, mailsOf } from "../support/certificates";
import { createAdmin, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { certificateOf } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const NAMES = ["DNS:oftp.acme.example"];
const request = makeCsr({ san: NAMES });

describe("[API-03] CompletePurchaseJourney", () => {
  test("[API-03] stores order, certificate, audit entries and mails as the wizard does, and returns the order", async () => {
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
      isNotified: true,
    });
    const certificate = await certificateOf(answer.content.orderId);
    expect(certificate).toMatchObject({
      userId: user.id,
      status: "Pending",
      orderType: "Initial",
      commonName: "oftp.acme.example",
      ssid: "O0177ABCD",
      isManualSsid: true,
      validityYears: 2,
      hasSecureSession: true,
      hasEmail: true,
      hasEncryption: true,
      hasFileSigning: true,
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
      { hasSecureSession: true, hasEmail: false, hasEncryption: false, hasFileSigning: true },
    ],
    [
      { showUsageAttributes: false, hasEmail: false },
      { hasEmail: true, hasSecureSession: true },
    ],
    [{ validityPeriod: undefined }, { validityYears: 1 }],
    [{ promoCode: " ", oftpid: " " }, { ssid: null }],
  ])("[API-03] makes of the order %j: %j", async (order, expected) => {
    const { client } = await newProgram();
    const { content } = await complete(client, orderBody(makeCsr({ san: NAMES }).pem, { order }));
    expect(await certificateOf(content.orderId)).toMatchObject(expected);
  });

  const PROMOTION = { months: 12, createdAt: new Date(), valueCents: 5000 };
  test("[API-03] redeems a promotion code once", async () => {
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

  test("[API-06] reports every broken rule of all three steps at its field", async () => {
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
    expect(answer.criteria).toEqual({
      "authenticationContact.email": [
        { criterion: "own-name", message: "info@ is a shared mailbox. Enter the contact's own address." },
      ],
    });
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
  ])("[API-06] refuses %s", async (_, parts, field, message) => {
    const { user, client } = await newProgram();
    const text = JSON.stringify(orderBody(request.pem, parts)).replace("SELF", user.email);
    const answer = await complete(client, JSON.parse(text));
    expect(answer.status).toBe(field === null ? 404 : 422);
    if (field) expect(answer.errors[field]).toContain(message);
    expect(await ordersOf(user.id)).toEqual([]);
  });

  test("[API-06] [CAL-03] refuses an OFTP ID that differs from the one in the CSR, and accepts the same one", async () => {
    const { user, client } = await newProgram();
    const subject = "/C=DE/O=Acme GmbH/CN=oftp.acme.example/serialNumber=O0177DM00000009";
    const { pem } = makeCsr({ subject, san: NAMES });
    const refused = await complete(client, orderBody(pem, { order: { oftpid: "O0177ZZ99999999" } }));
    expect(refused).toMatchObject({ status: 422, code: "certificate.oftp-id" });
    expect(refused.errors["order.oftpid"]).toContain("The CSR states another OFTP ID, O0177DM00000009");
    expect(await ordersOf(user.id)).toEqual([]);
    const taken = await complete(client, orderBody(pem, { order: { oftpid: "o0177dm00000009" } }));
    expect(taken.status).toBe(200);
  });

  test("[API-06] refuses a private key and repeats it nowhere", async () => {
    const { client } = await newProgram();
    const key = "-----BEGIN PRIVATE KEY-----\nMIIBVQIBADANBgkq\n-----END PRIVATE KEY-----";
    const answer = await complete(client, orderBody(key), "with-a-key");
    expect(answer.status).toBe(422);
    expect(answer.errors["order.csr"]).toContain("private key");
    expect(JSON.stringify(answer)).not.toContain("MIIBVQIBADANBgkq");
  });

  test("[API-06] refuses administrators who are no applicants, and requests without a token", async () => {
    const admin = await createAdmin();
    const client = await apiClientOf(admin.email, TEST_PASSWORD);
    expect((await complete(client, orderBody(request.pem))).status).toBe(403);
    client.token = "";
    expect((await complete(client, orderBody(request.pem))).status).toBe(401);
  });
});

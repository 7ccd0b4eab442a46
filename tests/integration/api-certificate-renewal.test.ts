import { beforeAll, expect, test } from "vitest";
import { readSubjectNames } from "~/domain/certificates/request/subject-names.server";
import { type ApiClient, newProgram } from "../support/api";
import { complete, orderBody, ordersOf } from "../support/api-orders";
import { setCertificate } from "../support/certificates";
import { type createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { certificateOf } from "./purchase-journey";
import { issueEnding } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();
const SUBJECT = "/C=DE/ST=Bayern/L=Muenchen/O=Acme GmbH/OU=EDI/CN=oftp.acme.example";
const NAMES = ["DNS:oftp.acme.example"];

let client: ApiClient;
let user: Awaited<ReturnType<typeof createUser>>;
beforeAll(async () => ({ client, user } = await newProgram()));

const old = (days = 100, order = {}) =>
  issueEnding(days, { customer: user, csr: makeCsr({ subject: SUBJECT, san: NAMES }).der, order });
const newCsr = () => makeCsr({ subject: SUBJECT, san: NAMES }).pem;

test("[API-03] GetRenewalState returns what a renewal begins with", async () => {
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

test("[API-03] a renewal by order id takes over subject, names and usage; the state then shows what is pending", async () => {
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
    hasEmail: false,
    hasSecureSession: true,
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

test("[API-03] two renewals of one certificate at once with different keys make one order", async () => {
  const original = await old();
  const before = (await ordersOf(user.id)).length;
  const bodies = [newCsr(), newCsr()].map((csr) => orderBody(csr, { previousOrderId: original.orderId }));
  const answers = await Promise.all(bodies.map((body, index) => complete(client, body, `one-of-two-${index}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await ordersOf(user.id)).toHaveLength(before + 1);
});

test("[API-03] a CSR of another subject and impossible years are refused at their fields", async () => {
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

test("[API-03] verifyCertificateExpiryDate returns min, max or nothing", async () => {
  const soon = await old(30);
  expect(await verify(soon.orderId, 0)).toMatchObject({ status: 200, content: "min" });
  expect(await verify(soon.orderId, 1)).toMatchObject({ status: 200, content: "" });
  const late = await issueEnding(500, { customer: user, csr: makeCsr().der });
  expect(await verify(late.orderId, 4)).toMatchObject({ status: 200, content: "max" });
  expect(await verify(late.orderId, 0)).toMatchObject({ status: 200, content: "" });
  expect((await verify(late.orderId, 5)).errors.years).toBe("The value is not part of the collection.");
  expect((await verify(late.orderId, "x")).status).toBe(422);
});

test("[API-06] others can neither see nor renew the certificate", async () => {
  const original = await old();
  const stranger = await newProgram();
  const { orderId } = original;
  expect((await stranger.client.get("certificates/GetRenewalState", { orderId })).status).toBe(404);
  expect((await verify(orderId, 1, stranger.client)).status).toBe(404);
  const order = await complete(stranger.client, orderBody(newCsr(), { previousOrderId: orderId }));
  expect(order.status).toBe(404);
  expect(await ordersOf(stranger.user.id)).toEqual([]);
});

test("[API-03] a certificate that cannot be renewed yet or was revoked is refused with the reason", async () => {
  const original = await old();
  await setCertificate(original.id, { status: "Revoked" });
  const state = await client.get("certificates/GetRenewalState", { orderId: original.orderId });
  expect(state).toMatchObject({ status: 422, text: "The certificate has been revoked." });
});

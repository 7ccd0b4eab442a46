import { beforeAll, describe, expect, test } from "vitest";
import { TERMS_NOT_ACCEPTED } from "~/domain/orders/terms";
import { auditAbout } from "../support/administration";
import { type ApiClient, apiClientOf, newProgram, type Wrapped } from "../support/api";
import { type Completion, orderBody, WIRE_CONTACT, WIRE_INVOICE } from "../support/api-orders";
import { readCertificate } from "../support/certificates";
import { createColleague } from "../support/companies";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { signedInAs } from "../support/visitor";
import { certificateOf, Buyer, invoicePage, ordersOf } from "./purchase-journey";
import { issueEnding } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();

interface Prepared {
  renewalId: string;
  orderId: number;
  certificateId: number;
  commonName: string;
  preparedBy: string;
  csr: string;
  purchaseOrderNumber: string;
  validityPeriod: number;
  authenticationContact: object;
  invoiceAddress: object;
}

type Colleague = Awaited<ReturnType<typeof createColleague>> & { client: ApiClient };

let owner: Awaited<ReturnType<typeof createUser>>;
let technical: Colleague;
let purchaser: Colleague;
let reader: Colleague;

beforeAll(async () => {
  owner = await createUser();
  const colleague = async (role: "technical" | "purchaser" | "reader"): Promise<Colleague> => {
    const user = await createColleague(owner, role);
    return { ...user, client: await apiClientOf(user.email, TEST_PASSWORD) };
  };
  [technical, purchaser, reader] = [
    await colleague("technical"),
    await colleague("purchaser"),
    await colleague("reader"),
  ];
});

const original = () => issueEnding(60, { customer: owner, csr: makeCsr().der });

const bodyFor = async () => {
  const certificate = await original();
  return { certificate, body: orderBody(makeCsr().pem, { previousOrderId: certificate.orderId }) };
};

const prepare = ({ client }: { client: ApiClient }, body: object, key?: string): Promise<Wrapped<Prepared>> =>
  client.post("certificates/PrepareRenewal", body, key === undefined ? {} : { "Idempotency-Key": key });

const listFor = async ({ client }: { client: ApiClient }, renewalId: string) =>
  (await client.get<Prepared[]>("certificates/GetPreparedRenewals")).content.find((one) => one.renewalId === renewalId);

const completeAs = ({ client }: { client: ApiClient }, body: object): Promise<Completion> =>
  client.post("certificates/CompletePreparedRenewal", { termsAndConditionsAccepted: true, ...body });

const ordersIn = async () => [...(await ordersOf(technical.id)), ...(await ordersOf(purchaser.id))];

describe("[API-03] [REN-01] PrepareRenewal", () => {
  test("prepares what the pages prepare: nothing is ordered, and those who may complete it get a message and see it", async () => {
    const { certificate, body } = await bodyFor();
    const before = await ordersIn();
    const { status, content } = await prepare(technical, body);
    expect({ status, content }).toMatchObject({
      status: 200,
      content: { certificateId: certificate.id, orderId: certificate.orderId, preparedBy: "Bernd The technical" },
    });
    expect(await ordersIn()).toEqual(before);
    for (const { email } of [owner, purchaser])
      expect((await mailsTo(email)).at(-1)?.text).toContain(
        `prepared the renewal of the certificate for ${certificate.commonName}`,
      );
    expect((await auditAbout(technical)).at(-1)?.event).toBe("renewal.prepared");
    expect(await listFor(purchaser, content.renewalId)).toMatchObject({
      csr: body.order.csr,
      purchaseOrderNumber: "PO-88213",
      validityPeriod: 2,
      authenticationContact: { ...WIRE_CONTACT, addressLine2: "" },
      invoiceAddress: { email: purchaser.email },
    });
  });

  test("leads to the same step as the pages, where a purchaser can complete it", async () => {
    const { certificate, body } = await bodyFor();
    const { content } = await prepare(technical, body);
    const buyer = new Buyer(purchaser, await signedInAs(purchaser), content.renewalId, "renew");
    expect((await invoicePage(buyer)).values).toMatchObject({ name: "Bernd The purchaser", email: purchaser.email });
    expect((await buyer.invoice()).headers.get("Location")).toContain("order-complete");
    const order = (await ordersOf(purchaser.id)).at(-1);
    expect((await certificateOf(order?.id ?? 0)).previousCertificateId).toBe(certificate.id);
  });

  test("refuses what CompletePurchaseJourney refuses, with the same messages", async () => {
    const { certificate, body } = await bodyFor();
    const previousOrderId = certificate.orderId;
    const refusalOf = async (bad: object) => {
      const [prepared, ordered] = [
        await prepare(technical, bad),
        await purchaser.client.post("certificates/CompletePurchaseJourney", bad),
      ];
      expect({ ...prepared, code: "" }).toEqual({ ...ordered, code: "" });
      return prepared;
    };
    expect((await refusalOf(orderBody("nonsense", { previousOrderId }))).errors).toHaveProperty(["order.csr"]);
    expect((await refusalOf({ ...body, order: { ...body.order, purchaseOrderNumber: " " } })).errors).toHaveProperty([
      "order.purchaseOrderNumber",
    ]);
    expect(
      (await refusalOf({ ...body, authenticationContact: { ...WIRE_CONTACT, email: "bernd@gmail.com" } })).errors,
    ).toHaveProperty(["authenticationContact.email"]);
    expect((await refusalOf({ ...body, invoiceAddress: { ...WIRE_INVOICE, vat: "GB1" } })).errors).toHaveProperty([
      "invoiceAddress.vat",
    ]);
    expect((await prepare(technical, orderBody(makeCsr().pem))).errors).toHaveProperty(["previousOrderId"]);
  });

  test("needs no invoice address, because whoever orders gives one", async () => {
    const { body } = await bodyFor();
    const { invoiceAddress: _, ...prepared } = body;
    const { status, content } = await prepare(technical, prepared);
    expect(status).toBe(200);
    const { renewalId } = content;
    expect((await completeAs(purchaser, { renewalId, invoiceAddress: { ...WIRE_INVOICE, vat: "GB1" } })).status).toBe(
      422,
    );
    expect((await completeAs(purchaser, { renewalId, invoiceAddress: WIRE_INVOICE })).status).toBe(200);
  });

  test("is for members who prepare renewals, and for certificates of their company", async () => {
    const { body } = await bodyFor();
    expect((await prepare(reader, body)).status).toBe(403);
    const stranger = await newProgram();
    expect((await prepare(stranger, body)).status).toBe(404);
  });

  test("with a key prepares once and answers as before, also when it was completed meanwhile", async () => {
    const { body } = await bodyFor();
    const first = await prepare(technical, body, "renewal-1");
    expect(await prepare(technical, body, "renewal-1")).toEqual(first);
    const other = { ...body, order: { ...body.order, validityPeriod: 1 } };
    expect(await prepare(technical, other, "renewal-1")).toMatchObject({ status: 422, code: "idempotency.other" });
    const { renewalId } = first.content;
    expect((await completeAs(purchaser, { renewalId })).status).toBe(200);
    expect(await prepare(technical, body, "renewal-1")).toEqual(first);
  });

  test("sent at once with one key prepares one renewal", async () => {
    const { certificate, body } = await bodyFor();
    const answers = await Promise.all([1, 2, 3].map(() => prepare(technical, body, "renewals-at-once")));
    expect(new Set(answers.map(({ content }) => content.renewalId)).size).toBe(1);
    const { content } = await purchaser.client.get<Prepared[]>("certificates/GetPreparedRenewals");
    expect(content.filter(({ certificateId }) => certificateId === certificate.id)).toHaveLength(1);
    const told = (await mailsTo(purchaser.email)).filter(({ text }) =>
      text.includes(answers[0]?.content.renewalId ?? ""),
    );
    expect(told).toHaveLength(1);
  });
});

describe("[API-03] [REN-01] CompletePreparedRenewal", () => {
  test("orders it once, for the caller, and answers a repeated request with the same order", async () => {
    const { certificate, body } = await bodyFor();
    const { renewalId } = (await prepare(technical, body)).content;
    const [first, second] = await Promise.all([1, 2].map(() => completeAs(purchaser, { renewalId })));
    expect(first).toMatchObject({ status: 200, content: { isNotified: true } });
    expect(second?.content.orderId).toBe(first?.content.orderId);
    const orderId = first?.content.orderId ?? 0;
    expect(await certificateOf(orderId)).toMatchObject({
      previousCertificateId: certificate.id,
      userId: purchaser.id,
      companyId: owner.companyId,
    });
    const ofOwner = await apiClientOf(owner.email, TEST_PASSWORD);
    expect((await completeAs({ client: ofOwner }, { renewalId })).content.orderId).toBe(orderId);
    expect(await listFor(purchaser, renewalId)).toBeUndefined();
    expect((await auditAbout(purchaser)).map(({ event }) => event)).toContain("certificate.renewal-requested");
  });

  test("takes another invoice address, and names its bad fields", async () => {
    const { body } = await bodyFor();
    const { renewalId } = (await prepare(technical, body)).content;
    const bad = await completeAs(purchaser, { renewalId, invoiceAddress: { ...WIRE_INVOICE, email: "nobody" } });
    expect(bad.errors).toHaveProperty(["invoiceAddress.email"]);
    const invoiceAddress = { ...WIRE_INVOICE, company: "Example Holding Ltd" };
    const { content } = await completeAs(purchaser, { renewalId, invoiceAddress });
    const order = (await ordersOf(purchaser.id)).find(({ id }) => id === content.orderId);
    expect(order?.invoiceAddress).toContain("Example Holding Ltd");
  });

  test("says why a renewal cannot be ordered any more", async () => {
    const { certificate, body } = await bodyFor();
    const { renewalId } = (await prepare(technical, body)).content;
    await purchaser.client.post("certificates/CompletePurchaseJourney", {
      ...body,
      order: { ...body.order, csr: makeCsr().pem },
    });
    const answer = await completeAs(purchaser, { renewalId });
    expect(answer).toMatchObject({ status: 422, code: "certificate.renew" });
    expect(answer.errors.renewalId).toMatch(/for its renewal is pending/);
    expect((await readCertificate(certificate.id)).status).toBe("Issued");
  });

  test("needs the caller's own acceptance of the terms, which preparing does not need; a second one for the certificate is refused", async () => {
    const { body } = await bodyFor();
    const order: Record<string, unknown> = { ...body.order };
    delete order.termsAndConditionsAccepted;
    const { status, content } = await prepare(technical, { ...body, order });
    expect(status).toBe(200);
    const { renewalId } = content;
    const refused = await completeAs(purchaser, { renewalId, termsAndConditionsAccepted: false });
    expect(refused.errors).toEqual({ termsAndConditionsAccepted: TERMS_NOT_ACCEPTED });
    const second = await prepare(technical, body);
    expect(second).toMatchObject({ status: 422, code: "certificate.renew" });
    expect(JSON.stringify(second.errors)).toContain("You have prepared the renewal of this certificate already");
  });

  test("is not for those who only prepare, and never for another company", async () => {
    const { body } = await bodyFor();
    const { renewalId } = (await prepare(technical, body)).content;
    expect((await completeAs(technical, { renewalId })).status).toBe(403);
    expect((await technical.client.get("certificates/GetPreparedRenewals")).status).toBe(403);
    const stranger = await newProgram();
    expect(await listFor(stranger, renewalId)).toBeUndefined();
    expect((await completeAs(stranger, { renewalId })).errors).toHaveProperty(["renewalId"]);
    expect((await completeAs(stranger, { renewalId: "unknown" })).status).toBe(404);
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { colonHex } from "~/lib/hex";
import { getDb } from "~db/connection.server";
import { type ApiClient, apiClientOf } from "../support/api";
import { complete, orderBody } from "../support/api-orders";
import {
  createCertificateOrder,
  issueCertificate,
  type IssuedCertificate,
  setCertificate,
} from "../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { issueEnding } from "./renewal-journey";

usePortal();
const { makeCsr, file } = useOpenssl();

let customer: Awaited<ReturnType<typeof createUser>>;
let own: ApiClient;
let stranger: ApiClient;
let staff: ApiClient;
beforeAll(async () => {
  customer = await createUser();
  own = await apiClientOf(customer.email, TEST_PASSWORD);
  stranger = await apiClientOf((await createUser()).email, TEST_PASSWORD);
  staff = await apiClientOf((await createAdmin()).email, TEST_PASSWORD);
});

const NULL_DATE = "0001-01-01T00:00:00";
const day = (iso: string | null) => `${iso?.slice(0, 10)}T00:00:00Z`;
const SUBJECT =
  "/C=DE/ST=Bayern/L=Muenchen/O=Acme GmbH/OU=EDI/CN=oftp.acme.example/serialNumber=O0177ABCD/emailAddress=edi@acme.example";

describe("[API-03] GetCertificatePrice", () => {
  test("[API-03] returns the price of a year as a number", async () => {
    expect(await own.get("certificates/GetCertificatePrice")).toMatchObject({ status: 200, content: 290 });
    expect((await own.get("certificates/GetCertificatePrice", { years: 2 })).errors.years).toBeDefined();
  });
});

describe("[API-03] DecodeCsrWithValidation", () => {
  interface Decoded {
    item1: Record<string, unknown> | null;
    item2: string;
  }
  const decode = (csr: unknown, checkUniqueness?: boolean) =>
    own.post<Decoded>("certificates/DecodeCsrWithValidation", { csr, checkUniqueness });

  test("[API-03] item1 is the CSR with its names by numeric type, item2 is empty", async () => {
    const san = [
      "DNS:oftp.acme.example",
      "IP:192.0.2.7",
      "email:edi@acme.example",
      "URI:https://acme.example/",
      "URI:oftp://O0177ABCD",
    ];
    const { pem, der } = makeCsr({ subject: SUBJECT, san });
    const answer = await decode(pem);
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.content).toEqual({
      item1: {
        commonName: "oftp.acme.example",
        organisation: "Acme GmbH",
        organisationUnit: "EDI",
        city: "Muenchen",
        state: "Bayern",
        country: "DE",
        email: "edi@acme.example",
        deviceSerialNumber: "O0177ABCD",
        subjectAlternateName: [
          { type: 2, value: "oftp.acme.example" },
          { type: 7, value: "192.0.2.7" },
          { type: 1, value: "edi@acme.example" },
          { type: 61, value: "https://acme.example/" },
          { type: 6, value: "O0177ABCD" },
        ],
      },
      item2: "",
    });
    expect((await decode(Buffer.from(der).toString("base64"))).content).toEqual(answer.content);
  });

  test.each([
    ["what is no CSR", "hello", "Failed to decode the imported CSR"],
    ["nothing", " ", "Failed to decode the imported CSR"],
    ["a private key", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----", "private key"],
  ])("[API-03] of %s: item1 is null, item2 says why", async (_, csr, message) => {
    const { status, content } = await decode(csr);
    expect(status).toBe(200);
    expect(content.item1).toBeNull();
    expect(content.item2).toContain(message);
  });

  test("[API-03] names every broken rule of the CSR policy", async () => {
    const { content } = await decode(makeCsr({ subject: "/CN=oftp.acme.example", bits: 1024 }).pem);
    expect(content.item1).toBeNull();
    expect(content.item2).toMatch(/1024.*|2048/);
    expect(content.item2).toContain("organisation");
  });

  test("[API-03] refuses a key that already has an order when uniqueness is requested, whoever asks", async () => {
    const { pem } = makeCsr();
    expect((await decode(pem, true)).content.item2).toBe("");
    await complete(stranger, orderBody(pem));
    expect((await decode(pem, false)).content.item2).toBe("");
    const message = "This key cannot be used; create a new one."; // the answer does not mention the order of another account
    expect((await decode(pem, true)).content).toEqual({
      item1: null,
      item2: message,
      rules: [expect.objectContaining({ code: "key-of-another", message })],
    });
    const ordered = makeCsr().pem;
    await complete(own, orderBody(ordered));
    expect((await decode(ordered, true)).content.item2).toContain("A new key is needed");
  });

  test("[API-06] reports a missing text at its field", async () => {
    expect(await decode(7)).toMatchObject({ status: 422 });
    expect((await decode(["x"])).errors.csr).toBeDefined();
  });
});

describe("[API-03] GetDiscountByPromoCode", () => {
  const ask = (promoCode: string, by = own) => by.get("certificates/GetDiscountByPromoCode", { promoCode });
  const PROMOTION = { months: 48, createdAt: new Date(), valueCents: 4950 };
  beforeAll(async () => {
    const rows = [
      { ...PROMOTION, code: "GOODCODE1" },
      { ...PROMOTION, code: "USEDCODE1", usedAt: new Date() },
      { ...PROMOTION, code: "GONECODE1", withdrawnAt: new Date() },
      { ...PROMOTION, code: "LATECODE1", validUntil: new Date(0) },
    ];
    for (const row of rows) await getDb().insertInto("promotionCodes").values(row).execute();
  });

  test.each([
    ["GOODCODE1", 49.5, false],
    [" goodcode1 ", 49.5, false],
    ["USEDCODE1", 0, true],
    ["GONECODE1", 0, false],
    ["LATECODE1", 0, false],
    ["NOSUCHONE", 0, false],
    ["12345678", 0, false],
    ["12345678901", 0, false],
    [" ", 0, false],
  ])("[API-03] of %j: item1 %d, item2 %s", async (code, item1, item2) => {
    expect(await ask(code)).toMatchObject({ status: 200, content: { item1, item2 } });
  });

  test("[API-06] is for applicants", async () => {
    expect((await ask("GOODCODE1", staff)).status).toBe(403);
  });
});

describe("[API-03] lists of certificates", () => {
  interface Row {
    id: number;
    orderId: number;
  }
  const list = (by: ApiClient, query = {}) => by.get<Row[]>("certificates/getcertificates", query);

  test("[API-03] [API-06] show users their own, newest first, and administrators everybody's, page by page", async () => {
    const owner = await createUser();
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    expect((await list(client)).content).toEqual([]);
    const original = await issueEnding(100, { customer: owner, csr: makeCsr().der });
    const pending = await createCertificateOrder(owner, undefined, {
      orderType: "Renewal",
      previousCertificateId: original.id,
    });
    await setCertificate(original.id, { status: "Revoked", revocationDate: new Date("2026-02-03T04:05:06Z") });
    expect((await list(client)).content).toEqual([
      {
        id: pending.id,
        commonName: pending.commonName,
        certificateStatus: "Pending",
        isIssuerRevoked: false,
        orderType: "Renewal",
        previousOrderId: original.orderId,
        previousCertificateId: original.id,
        certificateRequestDate: day(pending.requestedAt),
        certificateStartDate: NULL_DATE,
        certificateExpiryDate: NULL_DATE,
        revocationDate: NULL_DATE,
        orderId: pending.orderId,
        orderedBy: "Anna Müller",
        updatedAt: pending.updatedAt,
      },
      {
        id: original.id,
        commonName: "oftp.acme.example",
        certificateStatus: "Revoked",
        isIssuerRevoked: false,
        orderType: "Initial",
        previousOrderId: null,
        previousCertificateId: null,
        certificateRequestDate: day(original.requestedAt),
        certificateStartDate: day(original.startDate),
        certificateExpiryDate: day(original.expiryDate),
        revocationDate: "2026-02-03T00:00:00Z",
        orderId: original.orderId,
        orderedBy: "Anna Müller",
        updatedAt: expect.stringMatching(/Z$/) as string,
      },
    ]);
    const all = (await list(staff)).content.map(({ id }) => id);
    expect(all).toEqual(expect.arrayContaining([original.id, pending.id]));
    expect(all).toEqual([...all].sort((a, b) => b - a));
    const pages = [1, 2].map(async (page) => (await list(staff, { page, pageSize: 1 })).content.map(({ id }) => id));
    expect(await Promise.all(pages)).toEqual([[all[0]], [all[1]]]);
    expect((await list(client, { page: 2 })).content).toEqual([]);
    expect((await list(client, { page: 3, pageSize: 1 })).content).toEqual([]);
    expect((await list(stranger)).content.map(({ id }) => id)).not.toContain(original.id);
  });

  test("[API-03] [API-06] take filters by order, status and last change, and are read in parts", async () => {
    const owner = await createUser();
    const client = await apiClientOf(owner.email, TEST_PASSWORD);
    const csr = makeCsr().der;
    const made = [];
    for (let number = 0; number < 3; number += 1) made.push(await createCertificateOrder(owner, csr));
    const [one, two, three] = made.map(({ id }) => id) as [number, number, number];
    const idsIn = async (query: Record<string, string | number>) =>
      (await list(client, query)).content.map(({ id }) => id);
    await setCertificate(two, { status: "Rejected", updatedAt: new Date("2030-01-01T00:00:00Z") });
    expect(await idsIn({ status: "Rejected" })).toEqual([two]);
    expect(await idsIn({ orderId: String(made[0]?.orderId) })).toEqual([one]);
    expect(await idsIn({ orderNumber: `SO-${made[2]?.orderId}` })).toEqual([three]);
    expect(await idsIn({ updatedSince: "2000-01-01" })).toEqual([one, three, two]);
    expect(await idsIn({ updatedSince: "2030-01-01T00:00:00Z" })).toEqual([two]);
    const first = await list(client, { pageSize: 2 });
    expect(first.content.map(({ id }) => id)).toEqual([three, two]);
    const { id: four } = await createCertificateOrder(owner, csr);
    expect(await idsIn({ pageSize: 2, cursor: String(first.nextCursor) })).toEqual([one]);
    expect((await list(client, {})).nextCursor).toBeNull();
    expect(await idsIn({ pageSize: 1 })).toEqual([four]);
    const stolen = await list(stranger, { pageSize: 2, cursor: String(first.nextCursor) });
    expect(stolen.content.map(({ id }) => id)).not.toContain(one);
    const refused = await list(client, { page: 2, pageSize: 2, cursor: String(first.nextCursor) });
    expect(refused.errors.cursor).toContain("not both");
    expect((await list(client, { page: 2, updatedSince: "2000-01-01" })).errors.page).toContain("cursor");
    expect((await list(client, { status: "Waiting" })).errors.status).toBeDefined();
  });

  test.each([
    [{ pageSize: 1000 }, 200],
    [{ pageSize: 1001 }, 422],
    [{ pageSize: 0 }, 422],
    [{ page: 0 }, 422],
    [{ page: -1 }, 422],
    [{ page: "x" }, 422],
    [{ page: 1_000_000 }, 200],
    [{ page: 1_000_001 }, 422],
    [{ page: 1, sort: "id" }, 422],
  ])("[API-03] answer the page %j with %d", async (query, status) => {
    expect((await list(own, query)).status).toBe(status);
  });
});

describe("[API-03] getcertificate and GetPaymentDetails", () => {
  let issued: IssuedCertificate;
  beforeAll(async () => {
    issued = await issueCertificate({
      customer,
      csr: makeCsr({ subject: SUBJECT, san: ["DNS:oftp.acme.example"] }).der,
    });
  });

  test("[API-03] return what API-03 lists, in agreement with openssl", async () => {
    const { status, content } = await own.get<Record<string, unknown>>("certificates/getcertificate", {
      id: issued.id,
    });
    expect(status).toBe(200);
    const path = file("der", issued.der);
    const read = (...args: string[]) => openssl(["x509", "-inform", "DER", "-in", path, "-noout", ...args]).trim();
    const serial = colonHex(read("-serial").replace("serial=", ""));
    expect(content).toEqual({
      id: issued.id,
      orderId: issued.orderId,
      orderedBy: "Anna Müller",
      people: [],
      certificateStatus: "Issued",
      isIssuerRevoked: false,
      certificateExpiryDate: day(issued.expiryDate),
      allowRenewal: false,
      isManualSsid: false,
      ssid: "O0177ABCD",
      revocationDate: NULL_DATE,
      revocationTime: "",
      revocationReason: "",
      revocationDescription: "",
      commonName: "oftp.acme.example",
      email: "edi@acme.example",
      location: "Muenchen",
      state: "Bayern",
      department: "EDI",
      country: "DE",
      organisation: "Acme GmbH",
      csr: {
        state: "Bayern",
        deviceSerialNumber: "O0177ABCD",
        subjectAlternateName: expect.arrayContaining([
          { type: 2, value: "oftp.acme.example" },
          { type: 6, value: "O0177ABCD" },
        ]) as unknown,
      },
      x509CertificateLite: {
        serialNumber: serial,
        startDate: `${issued.startDate?.slice(0, 19)}Z`,
        endDate: `${issued.expiryDate?.slice(0, 19)}Z`,
        formatVersion: 3,
        thumbprint: read("-fingerprint", "-sha1").replace(/^.*=/, ""),
        keyUsage: expect.arrayContaining([expect.any(String)]) as unknown,
        enhancedKeyUsage: expect.arrayContaining([expect.any(String)]) as unknown,
        keySize: 2048,
        signatureAlgorithm: "sha256WithRSAEncryption",
        issuerName: expect.stringContaining("CN=") as string,
      },
    });
  });

  test("[API-03] have no certificate for a pending order; a revocation has date, time and reason", async () => {
    const pending = await createCertificateOrder(customer, makeCsr().der);
    const get = async (id: number) =>
      (await own.get<Record<string, unknown>>("certificates/getcertificate", { id })).content;
    expect(await get(pending.id)).toMatchObject({ certificateStatus: "Pending", x509CertificateLite: null });
    const revoked = await issueCertificate({ customer, csr: makeCsr().der });
    await setCertificate(revoked.id, {
      status: "Revoked",
      revocationDate: new Date("2026-02-03T04:05:06Z"),
      revocationReason: 4,
      revocationDescription: "Replaced",
    });
    expect(await get(revoked.id)).toMatchObject({
      revocationDate: "2026-02-03T00:00:00Z",
      revocationTime: "04:05:06",
      revocationReason: "Superseded",
      revocationDescription: "Replaced",
    });
  });

  test("[API-03] allowRenewal is true when every renewal was revoked", async () => {
    const original = await issueEnding(100, { customer, csr: makeCsr().der });
    await setCertificate(original.id, { status: "Renewed" });
    const get = async () =>
      (await own.get<{ allowRenewal: boolean }>("certificates/getcertificate", { id: original.id })).content
        .allowRenewal;
    expect(await get()).toBe(false);
    await createCertificateOrder(customer, undefined, {
      orderType: "Renewal",
      previousCertificateId: original.id,
      status: "Revoked",
    });
    expect(await get()).toBe(true);
  });

  const payment = (orderId: number, by = own) => by.get("certificates/GetPaymentDetails", { orderId });

  test("[API-03] the payment has status, date and invoice number", async () => {
    const [invoice] = await getDb()
      .selectFrom("orders")
      .select("invoiceNumber")
      .where("id", "=", issued.orderId)
      .execute();
    expect(invoice?.invoiceNumber).toBeTruthy();
    expect((await payment(issued.orderId)).content).toEqual({
      item1: false,
      item2: NULL_DATE,
      item3: invoice?.invoiceNumber,
    });
    const paid = { status: "Paid" as const, paymentDate: new Date("2026-03-04T00:00:00Z") };
    await getDb().updateTable("orders").set(paid).where("id", "=", issued.orderId).execute();
    expect((await payment(issued.orderId)).content).toMatchObject({ item1: true, item2: "2026-03-04T00:00:00Z" });
    const pending = await createCertificateOrder(customer);
    expect((await payment(pending.orderId)).content).toEqual({ item1: false, item2: NULL_DATE, item3: "" });
  });

  test("[API-06] others get not found, administrators everything", async () => {
    const { id, orderId } = issued;
    expect(await stranger.get("certificates/getcertificate", { id })).toMatchObject({ status: 404, content: null });
    expect((await payment(orderId, stranger)).status).toBe(404);
    expect((await staff.get("certificates/getcertificate", { id })).status).toBe(200);
    expect((await payment(orderId, staff)).status).toBe(200);
    for (const none of [999_999, 2_147_483_647]) {
      expect((await own.get("certificates/getcertificate", { id: none })).status).toBe(404);
      expect((await payment(none)).status).toBe(404);
    }
    for (const broken of ["0", "-1", "1.5", "x", "2147483648", "99999999999"])
      expect((await own.get("certificates/getcertificate", { id: broken })).errors.id).toBe("Invalid value.");
  });
});

test("[API-07] an unexpected failure answers its documented code and nothing else", async () => {
  const { id, orderId } = await issueCertificate({ customer, csr: makeCsr().der });
  const { pem } = makeCsr();
  await getDb().schema.alterTable("certificates").renameTo("certificates_gone").execute();
  try {
    const answers = [
      ["OCA0901E", await own.get("certificates/getcertificates")],
      ["OCA0701E", await own.get("certificates/getcertificate", { id })],
      ["OCA0701E", await own.get("certificates/GetPaymentDetails", { orderId })],
      ["IMP0D01E", await own.get("certificates/GetRenewalState", { orderId })],
      ["OCA0F01E", await own.post("certificates/revoke", { certificateId: id, reasonTypeId: 4 })],
      ["OCA0801E", await own.get("Certificates/DownloadMyCertificate", { certificateId: id })],
      ["CIA0101E", await complete(own, orderBody(pem))],
    ] as const;
    for (const [code, answer] of answers) {
      expect(answer).toMatchObject({ status: 500, success: false, code });
      expect(answer.text).toBe("An error occurred. Please try again.");
      expect(JSON.stringify(answer)).not.toMatch(/certificates_gone|select|relation|no such/);
    }
  } finally {
    await getDb().schema.alterTable("certificates_gone").renameTo("certificates").execute();
  }
});

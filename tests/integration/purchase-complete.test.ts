import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";
import { type CompletedOrder } from "~/domain/orders/completed-order.service.server";
import { parseContact } from "~/domain/certificates/contact.schema";
import { parseInvoiceAddress } from "~/domain/orders/invoice-address.schema";
import { setOrderNotified } from "~db/repositories/orders.server";
import * as mailQueue from "~/domain/mail/queue.service.server";
import { loader as completeLoader } from "~/routes/home.certificate.purchase.order-complete";
import { loader as invoiceLoader } from "~/routes/home.certificate.purchase.invoice-address";
import { loader as orderLoader } from "~/routes/home.certificate.purchase.order";
import { getDb } from "~db/connection.server";
import { lockKey } from "~db/repositories/blocked-keys.server";
import { inTransaction } from "~db/transaction.server";
import { createCertificateOrder } from "../support/certificates";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run } from "../support/visitor";
import { CH, CONTACT, DE, draftRow, GB, INVOICE, newBuyer, ordersOf, type Buyer } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const request = makeCsr({ san: ["DNS:oftp.acme.example"] });
const atInvoice = async (fields = {}, given = {}): Promise<Buyer> =>
  (await newBuyer(given)).upToInvoice(request.pem, fields);

const certificateOf = (orderId: number) =>
  getDb().selectFrom("certificates").selectAll().where("orderId", "=", orderId).executeTakeFirstOrThrow();
const auditOf = (orderId: number) =>
  getDb().selectFrom("auditEntries").selectAll().where("orderId", "=", orderId).orderBy("id").execute();
const mailsOf = (orderId: number) =>
  getDb().selectFrom("mails").selectAll().where("orderId", "=", orderId).orderBy("id").execute();
const completePage = async (buyer: Buyer) => run(completeLoader, buyer.visitor.get(buyer.url("order-complete")));

interface InvoicePage {
  values: Record<string, string>;
  problems: Record<string, string>;
  price: { netCents: number };
  vatRate: number;
}
const invoicePage = async (buyer: Buyer) =>
  jsonOf<InvoicePage>(await run(invoiceLoader, buyer.visitor.get(buyer.url("invoice-address"))));

async function onlyOrder(buyer: Buyer) {
  const orders = await ordersOf(buyer.user.id);
  expect(orders).toHaveLength(1);
  return orders[0] as (typeof orders)[number];
}

const CONFIRMATION = /^Order SO-\d+: we have received/;

describe("[PUR-09] invoice address", () => {
  test("[PUR-09] it is filled in from the account's invoicing address", async () => {
    const { values, problems } = await invoicePage(await atInvoice());
    expect(values).toMatchObject({
      name: "Anna Müller",
      company: "Example Parts Ltd",
      addressLine1: "1 Mill Lane",
      city: "Coventry",
      postalCode: "CV1 1AA",
      country: GB,
      phoneNumber: "+44 20 7946 0000",
      vat: "GB123456789",
    });
    expect(problems).toEqual({});
  });

  test("[PUR-09] what is too long is shown whole with its error, never cut", async () => {
    const page = await invoicePage(await atInvoice({}, { telephoneNumber: `+${"1".repeat(34)}` }));
    expect(page.values.phoneNumber).toHaveLength(35);
    expect(page.problems).toEqual({ phoneNumber: messages.outOfRange });
  });

  test("[PUR-09] every field is required but the second address line; values are kept", async () => {
    const buyer = await atInvoice();
    const blank = Object.fromEntries(Object.keys(INVOICE).map((name) => [name, " "]));
    const { status, errors, values } = await errorsOf(await buyer.invoice({ ...blank, country: DE }));
    expect(status).toBe(422);
    const required = ["name", "company", "email", "addressLine1", "city", "postalCode", "phoneNumber"];
    expect(errors).toEqual({
      ...Object.fromEntries(required.map((name) => [name, messages.required])),
      vat: "Please insert a VAT number.",
    });
    expect(values.country).toBe(DE);
    expect(await errorsOf(await buyer.invoice({ country: "" }))).toMatchObject({
      errors: { country: messages.required },
    });
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
  });

  test.each([
    ["name", 120],
    ["company", 120],
    ["addressLine1", 60],
    ["addressLine2", 60],
    ["city", 90],
    ["postalCode", 10],
  ])("[PUR-09] %s: at most %i characters", async (field, max) => {
    const buyer = await atInvoice();
    const { errors } = await errorsOf(await buyer.invoice({ [field]: "x".repeat(max + 1) }));
    expect(errors).toEqual({ [field]: messages.outOfRange });
    expect((await buyer.invoice({ [field]: "x".repeat(max) })).status).toBe(303);
  });

  test("[PUR-09] e-mail and telephone number must be valid, the country known", async () => {
    const buyer = await atInvoice();
    expect((await errorsOf(await buyer.invoice({ email: "a@b" }))).errors).toEqual({ email: messages.email });
    const phone = await errorsOf(await buyer.invoice({ phoneNumber: "0800-CALL" }));
    expect(phone.errors).toEqual({ phoneNumber: "Telephone number is not valid." });
    expect((await errorsOf(await buyer.invoice({ country: "999" }))).errors).toEqual({ country: messages.collection });
  });

  test.each(["123456789", "GB1", "DE123456789", "GB", `GB${"1".repeat(16)}`])(
    "[PUR-09] VAT number %s is not valid for GB",
    async (vat) => {
      const { errors } = await errorsOf(await (await atInvoice()).invoice({ vat }));
      expect(errors).toEqual({ vat: "The specified VAT number is not valid." });
    },
  );

  test("[PUR-09] Update country clears the VAT number and keeps the rest", async () => {
    const buyer = await atInvoice();
    const same = await buyer.invoice({ intent: "update-country" });
    expect(same.headers.get("Location")).toBe(buyer.url("invoice-address"));
    expect((await invoicePage(buyer)).values).toMatchObject({ country: GB, vat: "GB123456789" });
    await buyer.invoice({ intent: "update-country", country: DE, name: "Somebody Else" });
    expect((await invoicePage(buyer)).values).toMatchObject({ country: DE, vat: "", name: "Somebody Else" });
  });
});

describe("[PUR-09] VAT by country", () => {
  test.each([
    ["GB at the configured rate", { country: GB, vat: "gb 123 456 789" }, 0.2, 11_600, "GB123456789", 0],
    ["the EU by reverse charge", { country: DE, vat: "DE123456789" }, 0, 0, "DE123456789", 0],
    ["elsewhere none, and a hidden VAT number is ignored", { country: CH, vat: "nonsense" }, 0, 0, null, null],
  ])("[PUR-09] %s", async (_, fields, vatRate, vatCents, vatNumber, vatNumberChecked) => {
    const buyer = await atInvoice();
    expect((await buyer.invoice(fields)).status).toBe(303);
    expect(await onlyOrder(buyer)).toMatchObject({
      priceCents: 58_000,
      netCents: 58_000,
      vatRate,
      vatCents,
      totalCents: 58_000 + vatCents,
      vatNumber,
      vatNumberChecked,
    });
  });

  test("[PUR-09] VAT is rounded half up, once", async () => {
    await getDb()
      .insertInto("promotionCodes")
      .values({ code: "ROUNDING1", valueCents: 28_988, months: 12, createdAt: new Date() })
      .execute();
    const buyer = await atInvoice({ promoCode: "ROUNDING1", validityPeriod: "1" });
    await buyer.invoice();
    expect(await onlyOrder(buyer)).toMatchObject({ netCents: 12, vatCents: 2, totalCents: 14 });
  });
});

describe("[PUR-09] the VAT service", () => {
  /** A VAT service that answers so, after `meanwhile`. */
  async function withService(body: object, work: () => Promise<void>, meanwhile = async () => {}) {
    const server: Server = createServer((_, response) => {
      response.setHeader("Content-Type", "application/json");
      void meanwhile().then(() => response.end(JSON.stringify(body)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const holder = globalThis as { __marqueEnv?: object };
    process.env.VAT_SERVICE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    delete holder.__marqueEnv;
    try {
      await work();
    } finally {
      delete process.env.VAT_SERVICE_URL;
      delete holder.__marqueEnv;
      server.close();
    }
  }
  const german = { country: DE, vat: "DE123456789" };

  test("[PUR-09] invalid stops the order", async () => {
    const buyer = await atInvoice();
    await withService({ valid: false }, async () => {
      const { status, errors, values } = await errorsOf(await buyer.invoice(german));
      expect(status).toBe(422);
      expect(errors).toEqual({ vat: "The specified VAT number is not valid." });
      expect(values).toMatchObject(german);
    });
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
  });

  test("[PUR-09] an order that is changed in another window meanwhile is not placed unseen", async () => {
    const buyer = await atInvoice();
    const change = async () => void (await buyer.order({ csr: request.pem, validityPeriod: "4", intent: "update" }));
    await withService(
      { valid: true },
      async () => {
        const { status, errors } = await errorsOf(await buyer.invoice(german));
        expect(status).toBe(422);
        expect(errors.form).toContain("This order was changed in another window.");
      },
      change,
    );
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
    expect((await invoicePage(buyer)).price.netCents).toBe(116_000);
  });

  test("[PUR-09] an order that another window changed since it was shown is shown again instead of placed", async () => {
    const { pem } = makeCsr();
    const buyer = await (await newBuyer()).upToInvoice(pem);
    const orderVersion = await buyer.orderVersion();
    await buyer.order({ csr: pem, validityPeriod: "4" });
    const { errors } = await errorsOf(await buyer.invoice({ orderVersion }));
    expect(errors.form).toBe("This order was changed in another window. Please check it and complete it again.");
    expect(await ordersOf(buyer.user.id)).toEqual([]);
    expect((await buyer.invoice()).headers.get("Location")).toBe(buyer.url("order-complete"));
  });

  test("[PUR-09] valid is remembered; a service error lets the order go on, not checked", async () => {
    const checked = await atInvoice();
    await withService({ valid: true }, async () => void (await checked.invoice(german)));
    expect((await onlyOrder(checked)).vatNumberChecked).toBe(1);
    const unchecked = await atInvoice();
    const failure = { actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }] };
    await withService(failure, async () => void (await unchecked.invoice(german)));
    expect((await onlyOrder(unchecked)).vatNumberChecked).toBe(0);
  });
});

describe("[PUR-12] Complete Order", () => {
  test("[PUR-12] stores order, certificate, audit entries and mails", async () => {
    const buyer = await atInvoice({ oftpid: "O0177ABCD", purchaseOrderNumber: "PO-1" });
    const response = await buyer.invoice();
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(buyer.url("order-complete"));
    const order = await onlyOrder(buyer);
    expect(order).toMatchObject({
      purchaseOrderType: 1,
      status: "Open",
      draftId: buyer.draft,
      purchaseOrderNumber: "PO-1",
      company: INVOICE.company,
      countryId: 826,
      discountCents: 0,
      promotionCode: null,
      isNotified: 1,
      isMaintenance: 0,
    });
    const { vat, country, ...address } = INVOICE;
    expect(parseInvoiceAddress(order.invoiceAddress)).toEqual({
      ...address,
      vat,
      countryId: Number(country),
      country: "United Kingdom",
      countryIso: "GB",
    });

    const certificate = await certificateOf(order.id);
    expect(certificate).toMatchObject({
      userId: buyer.user.id,
      status: "Pending",
      orderType: "Initial",
      csrSha256: createHash("sha256").update(request.der).digest("hex"),
      commonName: "oftp.acme.example",
      organisation: "Acme GmbH",
      organisationUnit: "EDI",
      locality: "Muenchen",
      state: "Bayern",
      country: "DE",
      ssid: "O0177ABCD",
      isManualSsid: 1,
      hasSecureSession: 1,
      hasEmail: 1,
      hasEncryption: 1,
      hasFileSigning: 1,
      validityYears: 2,
      hierarchy: "sha2",
      authenticationEmail: CONTACT.email,
      contactAnswer: null,
    });
    expect(Buffer.from(certificate.csr)).toEqual(Buffer.from(request.der));
    expect(JSON.parse(certificate.subjectAlternateName)).toEqual([{ type: "dns", value: "oftp.acme.example" }]);
    expect(certificate).toMatchObject({
      sortName: "oftp.acme.example",
      searchText: "oftp.acme.example o0177abcd",
      ownerText: buyer.user.company.toLowerCase(),
    });
    expect(parseContact(certificate.technicalContact)).toMatchObject({ name: "Anna Müller", email: buyer.user.email });
    expect(parseContact(certificate.authenticationContact)).toMatchObject({
      name: CONTACT.name,
      country: "United Kingdom",
      countryId: 826,
      hasOtherDomain: false,
    });

    expect((await auditOf(order.id)).map(({ event, actorId }) => [event, actorId])).toEqual([
      ["order.created", buyer.user.id],
      ["certificate.requested", buyer.user.id],
    ]);
    const [confirmation, authorisation, ...rest] = await mailsOf(order.id);
    expect(rest).toEqual([]);
    expect(confirmation).toMatchObject({ recipient: buyer.user.email, dedupeKey: `order-confirmation:${order.id}` });
    expect(confirmation?.subject).toMatch(CONFIRMATION);
    expect(confirmation?.text).toContain(`SO-${order.id}`);
    expect(authorisation?.recipient).toBe(CONTACT.email);
    expect(authorisation?.text).toMatch(/http:\/\/portal\.test\/authorise-order\/[\w-]{43}\n/);
    expect((await draftRow(buyer.draft))?.data).toBe("{}");
  });

  test("[PUR-05] chosen usage attributes are stored as they were chosen", async () => {
    const buyer = await atInvoice({ showUsageAttributes: "on", hasEmail: undefined, hasFileSigning: undefined });
    await buyer.invoice();
    expect(await certificateOf((await onlyOrder(buyer)).id)).toMatchObject({
      hasSecureSession: 1,
      hasEmail: 0,
      hasEncryption: 1,
      hasFileSigning: 0,
    });
  });

  test("[PUR-04] an OFTP ID of the CSR wins over a typed one", async () => {
    const own = makeCsr({ subject: "/C=DE/O=Acme GmbH/CN=b.acme.example/serialNumber=O0177ACME01" });
    const buyer = await (await newBuyer()).upToInvoice(own.pem, { oftpid: "O0177OTHER" });
    await buyer.invoice();
    expect(await certificateOf((await onlyOrder(buyer)).id)).toMatchObject({ ssid: "O0177ACME01", isManualSsid: 0 });
  });

  test("[PUR-02] another company's domain is flagged to staff", async () => {
    const buyer = await newBuyer();
    await buyer.upToInvoice(request.pem);
    await buyer.contact({ email: "berta@holding.example" });
    await buyer.invoice();
    const { authenticationContact } = await certificateOf((await onlyOrder(buyer)).id);
    expect(parseContact(authenticationContact).hasOtherDomain).toBe(true);
  });

  test("[PUR-12] when the last write fails nothing is stored, what was typed stays, and it can be tried again", async () => {
    const buyer = await atInvoice();
    const broken = vi.spyOn(mailQueue, "queueMail").mockRejectedValue(new Error("disk full"));
    const { status, errors, values } = await errorsOf(await buyer.invoice());
    expect(status).toBe(500);
    expect(errors).toEqual({ form: "An error occurred. Please try again." });
    expect(values).toMatchObject({ name: INVOICE.name });
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
    const stored = getDb().selectFrom("certificates").select("id").where("userId", "=", buyer.user.id);
    expect(await stored.execute()).toEqual([]);
    const entries = getDb().selectFrom("auditEntries").select("id").where("userId", "=", buyer.user.id);
    expect(await entries.execute()).toEqual([]);
    broken.mockRestore();
    expect((await buyer.invoice()).headers.get("Location")).toBe(buyer.url("order-complete"));
    await onlyOrder(buyer);
  });

  test("[PUR-11] the CSR is checked once more before it is stored", async () => {
    const { pem } = makeCsr();
    const buyer = await (await newBuyer()).upToInvoice(pem);
    const { readCsr } = await import("~/ca/csr/read.server");
    const { blockKey } = await import("~db/repositories/blocked-keys.server");
    const read = readCsr(pem);
    if (!read.ok) throw new Error("not read");
    await inTransaction((trx) => blockKey(trx, read.csr.keyIdentity, "test"));
    const { status, errors } = await errorsOf(await buyer.invoice());
    expect(status).toBe(422);
    expect(errors.form).toContain("this key is blocked");
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
  });
});

describe("[PUR-11] one key, one subject", () => {
  const IN_USE = "this key belongs to a certificate of another subject";

  test("[PUR-11] two customers order with one key and two subjects at the same moment: one order", async () => {
    const { keyFile, pem } = makeCsr();
    const other = makeCsr({ keyFile, subject: "/C=DE/O=Somebody Else AG/CN=oftp.else.example" });
    const buyers = [await (await newBuyer()).upToInvoice(pem), await (await newBuyer()).upToInvoice(other.pem)];
    const csrImport = await import("~/domain/certificates/csr-import.service.server");
    const { importCsr } = csrImport;
    let checked = 0;
    const together = vi.spyOn(csrImport, "importCsr").mockImplementation(async (input) => {
      const result = await importCsr(input);
      checked += 1;
      await vi.waitUntil(() => checked === buyers.length, { timeout: 10_000 }); // neither is stored before both are checked
      return result;
    });
    const answers = await Promise.all(buyers.map((buyer) => buyer.invoice()));
    together.mockRestore();
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused && (await errorsOf(refused)).errors.form).toContain(IN_USE);
    const orders = await Promise.all(buyers.map((buyer) => ordersOf(buyer.user.id)));
    expect(orders.flat()).toHaveLength(1);
  });

  test("[PUR-11] an order waits for another transaction that decides about its key", async () => {
    const { keyFile, pem } = makeCsr();
    const buyer = await (await newBuyer()).upToInvoice(pem);
    const other = makeCsr({ keyFile, subject: "/C=DE/O=Somebody Else AG/CN=oftp.else.example" });
    const { id, keyIdentity } = await createCertificateOrder(await createUser(), other.der, { status: "Rejected" });
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const ordering = inTransaction(async (trx) => {
      await lockKey(trx, keyIdentity);
      await trx.updateTable("certificates").set({ status: "Pending" }).where("id", "=", id).execute();
      locked();
      await sleep(1000);
    });
    await isLocked;
    const { status, errors } = await errorsOf(await buyer.invoice());
    await ordering;
    expect(status).toBe(422);
    expect(errors.form).toContain(IN_USE);
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
  });
});

describe("[PUR-09] once only", () => {
  test("[PUR-09] pressed twice: the same page, one order", async () => {
    const buyer = await atInvoice();
    const first = await buyer.invoice();
    const second = await buyer.invoice();
    expect(second.headers.get("Location")).toBe(first.headers.get("Location"));
    const order = await onlyOrder(buyer);
    expect(await mailsOf(order.id)).toHaveLength(2);
  });

  test("[PUR-09] pressed five times at the same moment: one order, everybody sees it", async () => {
    const buyer = await atInvoice();
    const answers = await Promise.all(Array.from({ length: 5 }, () => buyer.invoice()));
    expect(new Set(answers.map((answer) => answer.headers.get("Location")))).toEqual(
      new Set([buyer.url("order-complete")]),
    );
    const order = await onlyOrder(buyer);
    expect(await mailsOf(order.id)).toHaveLength(2);
    expect(await auditOf(order.id)).toHaveLength(2);
    expect((await completePage(buyer)).status).toBe(200);
  });

  test("[PUR-09] the steps of a completed order lead to the order-complete page", async () => {
    const buyer = await atInvoice();
    await buyer.invoice();
    const back = await run(orderLoader, buyer.visitor.get(buyer.url("order")));
    expect(back.headers.get("Location")).toBe(buyer.url("order-complete"));
    expect((await buyer.order({ csr: request.pem })).headers.get("Location")).toBe(buyer.url("order-complete"));
  });
});

describe("[PUR-10] order complete", () => {
  const pageOf = async (buyer: Buyer) => jsonOf<CompletedOrder>(await completePage(buyer));

  test("[PUR-10] all fields, and again after a reload", async () => {
    const buyer = await atInvoice({ purchaseOrderNumber: "PO-7", validityPeriod: "1" });
    await buyer.invoice();
    const { id } = await onlyOrder(buyer);
    const expected = {
      orderNumber: `SO-${id}`,
      user: buyer.user.email,
      isNotified: true,
      purchaseOrderNumber: "PO-7",
      validityPeriod: 1,
      discountCents: 0,
      netCents: 29_000,
      vatCents: 5800,
      totalCents: 34_800,
    };
    expect(await pageOf(buyer)).toMatchObject(expected);
    expect(await pageOf(buyer)).toMatchObject(expected);
  });

  test("[PUR-10] not notified is kept and shown", async () => {
    const buyer = await atInvoice();
    await buyer.invoice();
    await setOrderNotified(getDb(), (await onlyOrder(buyer)).id, false);
    expect((await pageOf(buyer)).isNotified).toBe(false);
  });

  test("[PUR-10] without state, and with another user's draft, to the certificates", async () => {
    const buyer = await atInvoice();
    expect((await completePage(buyer)).headers.get("Location")).toBe(paths.certificates);
    await buyer.invoice();
    const other = await newBuyer();
    const stolen = await run(completeLoader, other.visitor.get(buyer.url("order-complete")));
    expect(stolen.headers.get("Location")).toBe(paths.certificates);
    const none = await run(completeLoader, buyer.visitor.get(paths.certificatePurchase("order-complete")));
    expect(none.headers.get("Location")).toBe(paths.certificates);
  });
});

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseContact } from "~/domain/certificates/purchase/contact.schema";
import { type CompletedOrder } from "~/domain/orders/completed-order.service.server";
import { parseInvoiceAddress } from "~/domain/orders/invoice-address.schema";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { setOrderNotified } from "~db/repositories/orders.server";
import { inTransaction } from "~db/transaction.server";
import { mailsOf } from "../support/certificates";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { usePortal } from "../support/portal";
import { MAIL_FAILS, withTrigger } from "../support/triggers";
import { errorsOf, jsonOf, run } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import {
  buyerAtInvoice,
  certificateOf,
  CONTACT,
  draftRow,
  INVOICE,
  newBuyer,
  onlyOrder,
  ordersOf,
  type Buyer,
} from "./purchase-journey";

const { loader: completeLoader } = purchase.complete;
const { loader: orderLoader } = purchase.order;

usePortal();
const { makeCsr } = useOpenssl();
const request = makeCsr({ san: ["DNS:oftp.acme.example"] });
const atInvoice = (fields = {}, given = {}) => buyerAtInvoice(request.pem, fields, given);

const auditOf = (orderId: number) =>
  getDb().selectFrom("auditEntries").selectAll().where("orderId", "=", orderId).orderBy("id").execute();
const completePage = async (buyer: Buyer) => run(completeLoader, buyer.visitor.get(buyer.url("order-complete")));

const CONFIRMATION = /^Order SO-\d+: we have received/;

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
      isNotified: true,
      isMaintenance: false,
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
      isManualSsid: true,
      hasSecureSession: true,
      hasEmail: true,
      hasEncryption: true,
      hasFileSigning: true,
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
    expect(await textOf(confirmation)).toContain(`SO-${order.id}`);
    expect(authorisation?.recipient).toBe(CONTACT.email);
    expect(await textOf(authorisation)).toMatch(/http:\/\/portal\.test\/authorise-order\/[\w-]{43}\n/);
    expect((await draftRow(buyer.draft))?.data).toBe("{}");
  });

  test("[PUR-05] stores the chosen usage attributes", async () => {
    const buyer = await atInvoice({ showUsageAttributes: "on", hasEmail: undefined, hasFileSigning: undefined });
    await buyer.invoice();
    expect(await certificateOf((await onlyOrder(buyer)).id)).toMatchObject({
      hasSecureSession: true,
      hasEmail: false,
      hasEncryption: true,
      hasFileSigning: false,
    });
  });

  test("[PUR-04] prefers the OFTP ID of the CSR to a typed one", async () => {
    const own = makeCsr({ subject: "/C=DE/O=Acme GmbH/CN=b.acme.example/serialNumber=O0177ACME01" });
    const buyer = await (await newBuyer()).upToInvoice(own.pem, { oftpid: "O0177OTHER" });
    await buyer.invoice();
    expect(await certificateOf((await onlyOrder(buyer)).id)).toMatchObject({
      ssid: "O0177ACME01",
      isManualSsid: false,
    });
  });

  test("[PUR-02] shows another company's domain to staff", async () => {
    const buyer = await newBuyer();
    await buyer.upToInvoice(request.pem);
    await buyer.contact({ email: "berta@holding.example" });
    await buyer.invoice();
    const { authenticationContact } = await certificateOf((await onlyOrder(buyer)).id);
    expect(parseContact(authenticationContact).hasOtherDomain).toBe(true);
  });

  test("[PUR-12] stores nothing when the last write fails, keeps the typed values, and can be tried again", async () => {
    const buyer = await atInvoice();
    const { status, errors, values } = await withTrigger(MAIL_FAILS, async () => errorsOf(await buyer.invoice()));
    expect(status).toBe(500);
    expect(errors).toEqual({ form: "An error occurred. Please try again." });
    expect(values).toMatchObject({ name: INVOICE.name });
    expect(await ordersOf(buyer.user.id)).toHaveLength(0);
    const stored = getDb().selectFrom("certificates").select("id").where("userId", "=", buyer.user.id);
    expect(await stored.execute()).toEqual([]);
    const entries = getDb().selectFrom("auditEntries").select("id").where("userId", "=", buyer.user.id);
    expect(await entries.execute()).toEqual([]);
    expect((await buyer.invoice()).headers.get("Location")).toBe(buyer.url("order-complete"));
    await onlyOrder(buyer);
  });

  test("[PUR-11] checks the CSR again before it is stored", async () => {
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

describe("[PUR-09] Complete Order repeated", () => {
  test("[PUR-09] twice shows the same page and makes one order", async () => {
    const buyer = await atInvoice();
    const first = await buyer.invoice();
    const second = await buyer.invoice();
    expect(second.headers.get("Location")).toBe(first.headers.get("Location"));
    const order = await onlyOrder(buyer);
    expect(await mailsOf(order.id)).toHaveLength(2);
  });

  test("[PUR-09] five times at the same time makes one order, shown to all", async () => {
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

  test("[PUR-09] opens the order-complete page from the steps of a completed order", async () => {
    const buyer = await atInvoice();
    await buyer.invoice();
    const back = await run(orderLoader, buyer.visitor.get(buyer.url("order")));
    expect(back.headers.get("Location")).toBe(buyer.url("order-complete"));
    expect((await buyer.order({ csr: request.pem })).headers.get("Location")).toBe(buyer.url("order-complete"));
  });
});

describe("[PUR-10] order complete", () => {
  const pageOf = async (buyer: Buyer) => jsonOf<CompletedOrder>(await completePage(buyer));

  test("[PUR-10] shows all fields, also after a reload", async () => {
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

  test("[PUR-10] keeps and shows that nobody was notified", async () => {
    const buyer = await atInvoice();
    await buyer.invoice();
    await setOrderNotified(getDb(), (await onlyOrder(buyer)).id, false);
    expect((await pageOf(buyer)).isNotified).toBe(false);
  });

  test("[PUR-10] redirects to the certificates without a draft or with another user's", async () => {
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

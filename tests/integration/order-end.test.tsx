import { beforeAll, describe, expect, test } from "vitest";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import { getDb } from "~db/connection.server";
import { findPromotionCode, insertPromotionCodes } from "~db/repositories/promotion-codes.server";
import { acting } from "../support/acting";
import {
  checksDone,
  createCertificateOrder,
  issueCertificate,
  mailsOf,
  readCertificate,
} from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saleFields } from "../support/sales-orders";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { Buyer, newBuyer, ordersOf, startPurchase } from "./purchase-journey";

usePortal();
const { makeCsr } = useOpenssl();
const csr = makeCsr();

let olga: Awaited<ReturnType<typeof createAdmin>>;
let staff: Visitor;
beforeAll(async () => {
  olga = await createAdmin({ email: "olga@example.org" });
  staff = await signedInAs(olga);
});

const send = async (id: number, fields: Record<string, string>, who = staff) =>
  run(orderPage.action, await who.post(`/home/certificate-queue/${id}`, fields), { id: String(id) });
const page = (id: number, fields?: Record<string, string>, who = staff) =>
  openPage(orderPage, who, `/home/certificate-queue/${id}`, { params: { id: String(id) }, ...(fields && { fields }) });
const auditOf = (orderId: number, event: string) =>
  getDb().selectFrom("auditEntries").selectAll().where("orderId", "=", orderId).where("event", "=", event).execute();

const END = {
  "rejected by staff": (id: number) => send(id, { intent: "reject", decisionReason: "No proof", confirmed: "yes" }),
  "cancelled by staff": (id: number) => send(id, { intent: "cancel", decisionReason: "Twice", confirmed: "yes" }),
};
const ENDS = Object.entries(END);

describe("an order that was paid", () => {
  async function paid() {
    const owner = await createUser();
    const made = await createCertificateOrder(owner, csr.der);
    await getDb()
      .updateTable("orders")
      .set({ status: "Paid", paymentCents: 34_800, paymentDate: new Date("2026-11-05T00:00:00Z") })
      .where("id", "=", made.orderId)
      .execute();
    return { ...made, owner };
  }
  const TITLE = "This order is paid.";
  const HINT = "€348.00, paid on 05/11/2026, are to be paid back.";

  test.each(ENDS)(
    "[MAN-03] and is %s: the question, the page, the mail and the audit trail say what to do",
    async (_how, end) => {
      const { id, orderId } = await paid();
      expect((await page(id)).html).not.toContain(TITLE);
      expect((await page(id, { intent: "reject", decisionReason: "No proof" })).html).toContain(HINT);
      expect((await page(id, { intent: "approve" })).html).not.toContain(TITLE);
      expect((await end(id)).status).toBe(303);
      expect((await page(id)).html).toContain(HINT);
      expect(
        (await auditOf(orderId, "order.refund-due")).map(({ message, actorName }) => [message, actorName]),
      ).toEqual([[HINT, "olga@example.org"]]);
      expect((await mailsOf(orderId))[0]?.text).toContain("What you have paid for this order will be paid back.");
    },
  );

  test("[MAN-03] and is cancelled by its owner has a hint for staff until they have recorded the refund", async () => {
    const { id, orderId, owner } = await paid();
    const customer = await signedInAs(owner);
    const answer = run(
      detailsPage.action,
      await customer.post(`/home/certificate-details/${id}`, { confirmed: "yes", decisionReason: "" }),
      { id: String(id) },
    );
    expect((await answer).status).toBe(303);
    expect(await auditOf(orderId, "order.refund-due")).toHaveLength(1);
    expect((await page(id)).html).toContain(HINT);
    const back = await saleFields(orderId, { status: "Cancelled", remarks: "Paid back by bank transfer" });
    expect((await send(id, { intent: "payment", confirmed: "yes", ...back })).status).toBe(303);
    expect((await page(id)).html).not.toContain(TITLE);
  });

  test("[MAN-03] is mentioned only when it was paid", async () => {
    const made = await createCertificateOrder(await createUser(), csr.der);
    await END["rejected by staff"](made.id);
    expect((await page(made.id)).html).not.toContain("This order is paid.");
    expect(await auditOf(made.orderId, "order.refund-due")).toEqual([]);
    expect((await mailsOf(made.orderId))[0]?.text).not.toContain("paid back");
  });
});

describe("the promotion code of an order", () => {
  let count = 0;
  async function orderWithCode() {
    const code = `ENDED${String((count += 1)).padStart(5, "0")}`;
    await insertPromotionCodes(getDb(), [{ code, valueCents: 5000, months: 12, createdAt: new Date() }]);
    const buyer = await (await newBuyer()).upToInvoice(csr.pem, { promoCode: code });
    expect((await buyer.invoice()).status).toBe(303);
    const [order] = await ordersOf(buyer.user.id);
    const orderId = order?.id ?? 0;
    const certificate = await getDb()
      .selectFrom("certificates")
      .select("id")
      .where("orderId", "=", orderId)
      .executeTakeFirstOrThrow();
    return { code, buyer, orderId, id: certificate.id };
  }

  test.each(ENDS)("[PUR-07] can be used again, as the mail and the audit trail say: %s", async (_how, end) => {
    const { code, buyer, orderId, id } = await orderWithCode();
    expect(await findPromotionCode(getDb(), code)).toMatchObject({ usedByOrderId: orderId });
    await end(id);
    expect(await findPromotionCode(getDb(), code)).toMatchObject({ usedByOrderId: null, usedAt: null });
    const [entry] = await auditOf(orderId, "promotion-code.released");
    expect(entry).toMatchObject({ message: `Promotion code ${code} of order SO-${orderId} can be used again.` });
    expect((await mailsOf(orderId)).at(-1)?.text).toContain(`You can use the promotion code ${code} again.`);
    const again = await new Buyer(buyer.user, buyer.visitor, await startPurchase(buyer.visitor)).upToInvoice(csr.pem, {
      promoCode: code,
    });
    expect((await again.invoice()).status).toBe(303);
    expect((await findPromotionCode(getDb(), code))?.usedByOrderId).not.toBe(orderId);
  });

  test("[PUR-07] stays used when the order can no longer end", async () => {
    const { code, orderId, id } = await orderWithCode();
    await getDb().updateTable("certificates").set({ status: "Issued" }).where("id", "=", id).execute();
    expect((await END["rejected by staff"](id)).status).toBe(422);
    expect(await findPromotionCode(getDb(), code)).toMatchObject({ usedByOrderId: orderId });
    expect(await auditOf(orderId, "promotion-code.released")).toEqual([]);
  });
});

describe("four eyes", () => {
  const RULE =
    "Somebody other than those who prepared or placed an order, or asked for a reissue, checks and approves it (four-eyes principle).";
  async function refusesAll(id: number, who: Visitor) {
    for (const check of ["contact", "organisation", "csr"])
      expect((await errorsOf(await send(id, checkForm({ [check]: "Seen" }), who))).errors).toEqual({ form: RULE });
    for (const confirmed of ["", "yes"])
      expect((await errorsOf(await send(id, { intent: "approve", confirmed }, who))).errors).toEqual({ form: RULE });
    expect(await readCertificate(id)).toMatchObject({
      status: "Pending",
      organisationCheckedAt: null,
      csrCheckedAt: null,
    });
    const { html } = await page(id, undefined, who);
    expect(html).toContain(RULE);
    expect(html).not.toContain('name="organisationNote"');
  }

  test("[MAN-03] an administrator cannot check or approve an own order; another one can, and it can be cancelled", async () => {
    const both = await createAdmin({ isApplicant: true });
    const own = await createCertificateOrder(both, csr.der);
    const who = await signedInAs(both);
    await refusesAll(own.id, who);
    const notes = { contact: "By telephone", organisation: "Register extract", csr: "Agrees" };
    expect((await send(own.id, checkForm(notes))).status).toBe(303);
    expect((await errorsOf(await send(own.id, { intent: "approve", confirmed: "yes" }, who))).errors.form).toBe(RULE);
    expect((await send(own.id, { intent: "approve", confirmed: "yes" })).status).toBe(303);
    expect((await readCertificate(own.id)).status).toBe("Issued");

    const other = await createCertificateOrder(both, csr.der);
    expect((await send(other.id, { intent: "cancel", decisionReason: "Mine", confirmed: "yes" }, who)).status).toBe(
      303,
    );
  });

  test("[MAN-03][LOG-09] an administrator cannot check an order placed while acting as the customer", async () => {
    const customer = await createUser();
    const { visitor } = await acting(olga, customer);
    const buyer = await new Buyer(customer, visitor, await startPurchase(visitor)).upToInvoice(makeCsr().pem);
    expect((await buyer.invoice()).status).toBe(303);
    const { id } = await getDb()
      .selectFrom("certificates")
      .select("id")
      .where("userId", "=", customer.id)
      .executeTakeFirstOrThrow();
    await refusesAll(id, staff);
  });

  test("[MAN-03] an administrator cannot reissue an own certificate", async () => {
    const both = await createAdmin({ isApplicant: true });
    const { id } = await issueCertificate({ customer: both, csr: makeCsr().der, order: checksDone() });
    const reissue = await import("~/routes/home.certificate.reissue.$id/route");
    const who = await signedInAs(both);
    const path = `/home/certificate/reissue/${id}`;
    const opened = await run(reissue.loader, who.get(path), { id: String(id) });
    expect(opened.headers.get("Location")).toBe(`/home/certificate-details/${id}`);
    const made = makeCsr({ keyFile: undefined });
    const fields = { csr: made.pem, reason: "Lost key", confirmed: "yes" };
    const sent = await run(reissue.action, await who.post(path, fields), { id: String(id) });
    expect(sent.headers.get("Location")).toBe(`/home/certificate-details/${id}`);
    const ids = await getDb().selectFrom("certificates").select("id").where("previousCertificateId", "=", id).execute();
    expect(ids).toEqual([]);
    const details = await openPage(detailsPage, who, `/home/certificate-details/${id}`, { params: { id: String(id) } });
    expect(details.html).not.toContain(path);
  });
});

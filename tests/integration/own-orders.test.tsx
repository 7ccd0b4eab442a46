import { beforeAll, describe, expect, test } from "vitest";
import { purchaseWizard } from "~/domain/certificates/purchase/wizards.server";
import { findAuthorisation } from "~/domain/certificates/queue/authorisation.service.server";
import { startDraft } from "~/domain/drafts/drafts.service.server";
import { NO_CLIENT } from "~/domain/security-events/client";
import { addDays } from "~/lib/dates";
import * as certificatePage from "~/routes/home.certificate-details.$id/route";
import * as queueOrder from "~/routes/home.certificate-queue.$id/route";
import * as orderPage from "~/routes/home.orders.$id/route";
import * as contactPage from "~/routes/home.orders.$id_.contact";
import * as orders from "~/routes/home.orders._index";
import { getDb } from "~db/connection.server";
import { acting } from "../support/acting";
import { apiClientOf } from "../support/api";
import { WIRE_CONTACT } from "../support/api-orders";
import {
  auditEventsOf,
  checksDone,
  createCertificateOrder,
  issueCertificate,
  mailsOf,
  readCertificate,
  setCertificate,
} from "../support/certificates";
import { createCodeOrder } from "../support/codes";
import { createColleague } from "../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { CONTACT } from "./purchase-journey";
import { toastOf } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

type User = Awaited<ReturnType<typeof createUser>>;
let anna: User;
let visitor: Visitor;
beforeAll(async () => {
  anna = await createUser();
  visitor = await signedInAs(anna);
});

const csrs: Uint8Array[] = [];
const order = (given: Parameters<typeof createCertificateOrder>[2] = {}) => {
  csrs[0] ??= makeCsr().der; // one key serves all orders of the same customer
  return createCertificateOrder(anna, csrs[0], given);
};
const path = (id: number) => `/home/orders/${id}`;
const open = async (id: number, who = visitor) =>
  (await openPage(orderPage, who, path(id), { params: { id: String(id) } })).html;
const steps = (html: string) => textsOf(html, "ol.order-steps h3");
const remind = async (id: number, who = visitor) =>
  run(orderPage.action, await who.post(path(id), { intent: "remind" }), { id: String(id) });
const change = async (id: number, fields: Record<string, string>, who = visitor) =>
  run(contactPage.action, await who.post(`${path(id)}/contact`, { ...CONTACT, ...fields }), { id: String(id) });

/** Returns the token of the link in the latest unsent request to a contact. */
async function tokenOf(orderId: number): Promise<string> {
  const mails = (await mailsOf(orderId)).filter(({ dismissedAt }) => dismissedAt === null);
  return /\/authorise-order\/([\w-]+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
}

/** Returns the steps that the text of a message lists. */
const stepsIn = (text: string | undefined) =>
  [...(text ?? "").matchAll(/^\d\. (\w[\w ]*: [\w ]+)/gm)].map(([, step]) => step);

describe("[PUR-10] the page of an order", () => {
  test("[PUR-10] [MAI-01] has the steps that messages about the order list", async () => {
    const { id, orderId } = await order();
    const cancelling = await visitor.post(`/home/certificate-details/${id}`, { intent: "cancel", confirmed: "yes" });
    await run(certificatePage.action, cancelling, { id: String(id) });
    const mail = (await mailsOf(orderId)).find(({ dedupeKey }) => dedupeKey.startsWith("order-cancelled:"));
    expect(stepsIn(mail?.text)).toEqual(["Done: Ordered", "Done: Email address confirmed", "Ended: Cancelled"]);
    expect(mail?.text).toMatch(
      new RegExp(`^1\\. Done: Ordered, \\d\\d/\\d\\d/\\d{4}, by ${anna.firstName} ${anna.lastName}$`, "m"),
    );
    expect(mail?.text).toMatch(new RegExp(`^View the order:\n\\S+/home/orders/${orderId}$`, "m"));
    expect(steps(await open(orderId))).toHaveLength(3);
  });

  test("[PUR-10] shows each step with what it waits for, and what was done", async () => {
    const { id, orderId } = await order();
    const html = await open(orderId);
    expect(steps(html)).toEqual([
      "Ordered, done",
      "Email address confirmed, done",
      "Contact authorised",
      "Organisation checked",
      "CSR compared",
      "Issued",
    ]);
    expect(textsOf(html, 'ol.order-steps [aria-current="step"] h3')).toEqual(["Contact authorised"]);
    expect(pageText(html)).toContain("has to follow the link in our message to");
    expect(pageText(html)).toContain("2 of 6 done");
    await setCertificate(id, checksDone());
    expect(textsOf(await open(orderId), 'ol.order-steps [aria-current="step"] h3')).toEqual(["Issued"]);
    await setCertificate(id, { status: "Rejected", decidedAt: new Date(), decisionReason: "No such company" });
    const ended = await open(orderId);
    expect(steps(ended).at(-1)).toBe("Rejected");
    expect(pageText(ended)).toContain("No such company");
    await getDb().updateTable("orders").set({ status: "Cancelled" }).where("id", "=", orderId).execute();
    expect(pageText(await open(orderId))).toContain("The order has ended without anything to pay: it has no invoice.");
    expect(textsOf(ended, "button").join()).not.toContain("contact");
  });

  test("[PUR-10] an address that is not confirmed comes first, and its link can be sent again", async () => {
    const newcomer = await createUser({ emailVerifiedAt: null });
    const { orderId } = await createCertificateOrder(newcomer, makeCsr().der);
    const html = await open(orderId, await signedInAs(newcomer));
    expect(textsOf(html, 'ol.order-steps [aria-current="step"] h3')).toEqual(["Email address confirmed"]);
    expect(select(html, 'form[action^="/resend-verification"] button').text()).toBe("Send the link again");
    expect(pageText(html)).toContain("as soon as the email address above is confirmed");
  });

  test("[PUR-10] [SAL-04] an issued certificate and an order of codes have their documents", async () => {
    const certificate = await issueCertificate({ customer: anna });
    expect(steps(await open(certificate.orderId)).at(-1)).toBe("Issued, done");
    const codeOrder = await createCodeOrder(anna, "Basic", 3);
    const html = await open(codeOrder);
    expect(steps(html)).toEqual(["Ordered, done", "Invoiced", "Paid"]);
    expect(pageText(html)).toContain("3 × ");
  });

  test("[REV-04] [PUR-10] says 'To be revoked' of a certificate whose revocation is scheduled, as the list of orders does", async () => {
    const { id, orderId } = await issueCertificate({ customer: anna });
    await setCertificate(id, { status: "RequestRevoke", revocationDate: new Date(Date.now() + 86_400_000) });
    expect(pageText(await open(orderId))).toContain(". To be revoked.");
    const list = await openPage(orders, visitor, "/home/orders");
    expect(textsOf(list.html, `tr:has(a[href="/home/orders/${orderId}"]) [data-l="Progress"]`)).toEqual([
      "To be revoked, not paid",
    ]);
  });

  test("[PUR-10] strangers get nothing, and colleagues who only read cannot act", async () => {
    const { orderId } = await order();
    const stranger = await signedInAs(await createUser());
    const refused = await run(orderPage.loader, stranger.get(path(orderId)), { id: String(orderId) });
    expect(refused.status).toBe(404);
    const reader = await signedInAs(await createColleague(anna, "reader"));
    expect(textsOf(await open(orderId, reader), "main form button")).toEqual([]);
    expect((await remind(orderId, reader)).headers.get("Location")).toBe("/home/dashboard");
  });
});

/** When a contact who was asked today can be asked again. */
const AGAIN = /You can send the message again from \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC\./;

describe("[PUR-10] asking the contact again", () => {
  test("[PUR-10] sends a reminder, at most once in 24 hours", async () => {
    const { id, orderId } = await order();
    expect(textsOf(await open(orderId), "main form button")).toContain("Send to the contact again");
    expect((await toastOf(await remind(orderId)))?.text).toMatch(/^The message to .+ is on its way\.$/);
    expect((await mailsOf(orderId)).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Reminder:/)]);
    expect(await auditEventsOf(id)).toEqual(["certificate.contact-reminded"]);
    expect(textsOf(await open(orderId), "main form button")).not.toContain("Send to the contact again");
    expect(select(await open(orderId), "main form .hint").text()).toMatch(AGAIN);
    expect((await toastOf(await remind(orderId)))?.text).toMatch(AGAIN);
    await getDb()
      .updateTable("mails")
      .set({ createdAt: addDays(new Date(), -2) })
      .where("orderId", "=", orderId)
      .execute();
    expect(textsOf(await open(orderId), "main form button")).toContain("Send to the contact again");
  });
});

describe("[PUR-02] changing the contact of a pending order", () => {
  test("[PUR-02] ends the old link, asks the new contact, and keeps the checks of staff", async () => {
    const { id, orderId } = await order({
      organisationCheckedAt: new Date(),
      organisationCheckedBy: "olga@example.org",
    });
    await remind(orderId);
    const old = await tokenOf(orderId);
    expect(await findAuthorisation(old, NO_CLIENT)).not.toBeNull();
    const answer = await change(orderId, { email: "berta.brown@example-parts.com" });
    expect(answer.headers.get("Location")).toBe(path(orderId));
    expect(await findAuthorisation(old, NO_CLIENT)).toBeNull();
    const mails = await mailsOf(orderId);
    expect(mails.map(({ recipient, dismissedAt }) => [recipient, dismissedAt !== null])).toEqual([
      [expect.any(String), true],
      ["berta.brown@example-parts.com", false],
    ]);
    expect(await findAuthorisation(await tokenOf(orderId), NO_CLIENT)).toMatchObject({ contactName: "Berta Brown" });
    const row = await readCertificate(id);
    expect(row.authenticationEmail).toBe("berta.brown@example-parts.com");
    expect(row.organisationCheckedAt).not.toBeNull();
    expect(await auditEventsOf(id)).toEqual(["certificate.contact-reminded", "order.contact-changed"]);
  });

  test("[PUR-02] corrects details of the same person without another message", async () => {
    const { id, orderId } = await order();
    await change(orderId, { email: "berta.brown@example-parts.com" });
    await change(orderId, { email: "berta.brown@example-parts.com", phoneNumber: "+44 20 7946 0099" });
    expect(await mailsOf(orderId)).toHaveLength(1);
    expect((await readCertificate(id)).authenticationContact).toContain("7946 0099");
  });

  test("[PUR-02] without a change says that nothing was changed, and records nothing", async () => {
    const { id, orderId } = await order();
    const email = "berta.brown@example-parts.com";
    expect((await toastOf(await change(orderId, { email })))?.text).toContain("is the authentication contact");
    const before = [await readCertificate(id), await auditEventsOf(id)];
    expect((await toastOf(await change(orderId, { email })))?.text).toMatch(/^You changed nothing/);
    expect([await readCertificate(id), await auditEventsOf(id)]).toEqual(before);
  });

  test("[PUR-02] refuses oneself, whoever ordered, and free mail, and keeps what was typed", async () => {
    const { orderId } = await order();
    const purchaser = await createColleague(anna, "purchaser");
    const colleague = await signedInAs(purchaser);
    for (const [who, email] of [
      [visitor, anna.email],
      [colleague, purchaser.email],
      [colleague, anna.email],
      [visitor, "berta@gmail.com"],
    ] as const) {
      const { status, errors } = await errorsOf(await change(orderId, { email }, who));
      expect([status, Object.keys(errors)]).toEqual([422, ["email"]]);
    }
    const { html } = await openPage(contactPage, visitor, `${path(orderId)}/contact`, {
      params: { id: String(orderId) },
      fields: { ...CONTACT, email: "berta@gmail.com", city: "Leeds" },
    });
    expect(select(html, 'input[name="city"]').attr("value")).toBe("Leeds");
  });

  test("[PUR-02] is not possible when the contact has answered or the order is decided", async () => {
    const authorised = await order(checksDone());
    expect((await toastOf(await change(authorised.orderId, {})))?.text).toContain("has authorised the order already");
    const refused = await order({ contactAnswer: "refused", contactAnsweredAt: new Date() });
    expect((await toastOf(await change(refused.orderId, {})))?.text).toContain("Cancel it, and order again");
    const decided = await order({ status: "Cancelled" });
    expect((await toastOf(await change(decided.orderId, {})))?.text).toContain("has already been cancelled");
  });

  test("[PUR-02] [MAN-03] staff who changed it while acting do not check the order", async () => {
    const { id, orderId } = await order();
    const admin = await createAdmin();
    const checked = async () => {
      const page = await openPage(queueOrder, await signedInAs(admin), `/home/certificate-queue/${id}`, {
        params: { id: String(id) },
      });
      return select(page.html, 'input[name="organisation"]').length > 0;
    };
    expect(await checked()).toBe(true);
    const { visitor: asAnna } = await acting(admin, anna);
    await change(orderId, { email: "berta.brown@example-parts.com" }, asAnna);
    expect(await checked()).toBe(false);
  });
});

describe("[PUR-01] the list of orders", () => {
  test("[PUR-01] has orders of the company with their progress, and one's drafts", async () => {
    const customer = await createUser();
    const who = await signedInAs(customer);
    const { orderId } = await createCertificateOrder(customer, makeCsr().der);
    await createCodeOrder(customer, "Basic", 2);
    const contact = { ...CONTACT, name: "Dora Draft" };
    const draft = await startDraft(purchaseWizard, customer.id, { contact });
    await order();
    const { html } = await openPage(orders, who, "/home/orders");
    expect(textsOf(html, "tbody tr")).toHaveLength(2);
    expect(pageText(html)).toContain("Waits for your contact");
    expect(pageText(html)).toContain("2 × ");
    expect(select(html, `a[href="${path(orderId)}"]`).text()).toBe(`SO-${orderId}`);
    expect(pageText(html)).toContain("to be authorised by Dora Draft");
    expect(select(html, `a[href*="${draft}"]`)).toHaveLength(1);
  });
});

/** Presses Discard in the list of orders, or in its question with `confirmed`. */
const discard = async (who: Visitor, fields: Record<string, string>) =>
  openPage(orders, who, "/home/orders", {
    fields: { wizard: "purchase", what: "Certificate for edi.example", ...fields },
  });

describe("[PUR-01] discarding an order that is not complete", () => {
  const findDraft = (id: string) => getDb().selectFrom("drafts").select("id").where("id", "=", id).executeTakeFirst();

  test("[PUR-01] happens after a question, which names the order, and only for whoever began it", async () => {
    const customer = await createUser();
    const who = await signedInAs(customer);
    const draft = await startDraft(purchaseWizard, customer.id, { contact: CONTACT });
    const { html } = await openPage(orders, who, "/home/orders");
    expect(textsOf(html, `button[name="draft"][value="${draft}"]`)[0]).toMatch(/^Discard… Certificate for /);
    const question = await discard(who, { draft });
    expect(pageText(question.html)).toContain(
      "Are you sure you wish to discard this order? What was entered is deleted.",
    );
    expect(pageText(question.html)).toContain("Certificate for edi.example");
    const colleague = await signedInAs(await createColleague(customer, "owner"));
    for (const [visitorOf, kind] of [
      [colleague, "warn"],
      [who, "ok"],
      [who, "warn"],
    ] as const) {
      const sent = { wizard: "purchase", draft, what: "", confirmed: "yes" };
      const answer = await run(orders.action, await visitorOf.post("/home/orders", sent));
      expect((await toastOf(answer))?.kind).toBe(kind);
    }
    expect(await findDraft(draft)).toBeUndefined();
  });

  test("[PUR-01] refuses what is no order, and leaves a placed order alone", async () => {
    const customer = await createUser();
    const who = await signedInAs(customer);
    const draft = await startDraft(purchaseWizard, customer.id, { contact: CONTACT });
    const send = async (fields: Record<string, string>) =>
      run(orders.action, await who.post("/home/orders", { what: "", confirmed: "yes", ...fields }));
    expect((await send({ wizard: "toString", draft })).status).toBe(404);
    const { orderId } = await createCertificateOrder(customer, makeCsr().der);
    await getDb().updateTable("drafts").set({ orderId }).where("id", "=", draft).execute();
    expect((await toastOf(await send({ wizard: "purchase", draft })))?.text).toBe(
      "This order was completed or discarded already.",
    );
    expect(await findDraft(draft)).toBeDefined();
  });
});

describe("[API-03] the calls about a pending order", () => {
  test("[API-03] give the progress, remind the contact and change it", async () => {
    const customer = await createUser();
    const { orderId } = await createCertificateOrder(customer, makeCsr().der);
    const client = await apiClientOf(customer.email, TEST_PASSWORD);
    const progress = await client.get<{ step: string; state: string }[]>("certificates/GetOrderProgress", { orderId });
    expect(progress.content.map(({ step, state }) => [step, state])).toEqual([
      ["ordered", "done"],
      ["email", "done"],
      ["contact", "current"],
      ["organisation", "open"],
      ["csr", "open"],
      ["issued", "open"],
    ]);
    expect((await client.post("certificates/RemindContact", { orderId })).status).toBe(200);
    expect((await client.post("certificates/RemindContact", { orderId })).status).toBe(409);
    const body = (email: string) => ({ orderId, authenticationContact: { ...WIRE_CONTACT, email } });
    const refused = await client.post("certificates/ChangeContact", body("info@example-parts.com"));
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.errors)).toEqual(["authenticationContact.email"]);
    const changed = await client.post("certificates/ChangeContact", body("berta.brown@example-parts.com"));
    expect(changed.content).toEqual({ email: "berta.brown@example-parts.com" });
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { outboxFileName } from "~/domain/mail/transport.server";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import * as stopPage from "~/routes/_public.no-more-messages.$token";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import * as queueList from "~/routes/home.certificate-queue._index";
import * as mailPage from "~/routes/home.mail._index/route";
import * as salePage from "~/routes/home.sale-orders_.details/route";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { invoiceMailsOf, mailsOf } from "../support/certificates";
import { createInvoiceableOrder } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { saveSale } from "../support/sales-orders";
import { newEmail } from "../support/user-details";
import { setVariable, TEST_ORIGIN } from "../support/variables";
import { anonymous, run } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { buyerAtInvoice, type Buyer, certificateOf, newBuyer, onlyOrder } from "./purchase-journey";

const completePage = purchase.complete;

const portal = usePortal();
const people = usePeople();
const { makeCsr } = useOpenssl();
const { pem } = makeCsr();

/** Stores an order whose authentication contact has this address. */
async function orderNaming(
  email: string,
  given = {},
): Promise<{ buyer: Buyer; orderId: number; certificateId: number }> {
  const buyer = await newBuyer(given);
  await buyer.upToInvoice(pem);
  await buyer.contact({ email });
  await buyer.invoice();
  const { id: orderId } = await onlyOrder(buyer);
  return { buyer, orderId, certificateId: (await certificateOf(orderId)).id };
}

const requestOf = async (orderId: number) =>
  (await mailsOf(orderId)).find(({ dedupeKey }) => dedupeKey.startsWith("authorisation-request:"));

async function stopTokenOf(orderId: number): Promise<string> {
  return /no-more-messages\/([\w-]{43})/.exec(await textOf(await requestOf(orderId)))?.[1] ?? "";
}

const mailsTo = (email: string) =>
  getDb().selectFrom("mails").selectAll().where("recipient", "=", email).orderBy("id").execute();

const stops = () => getDb().selectFrom("contactStops").selectAll().orderBy("email").execute();
const stopOf = async (email: string) => (await stops()).find((stop) => stop.email === email);
const open = async (token: string) =>
  openPage(stopPage, await anonymous(), serverPaths.noMoreMessages(token), { params: { token } });
const press = async (token: string) =>
  run(stopPage.action, await (await anonymous()).post(serverPaths.noMoreMessages(token)), { token });

/** Sends the one-click request of a mail provider: without cookie, CSRF token and Origin. */
const oneClick = (token: string, body: BodyInit = new URLSearchParams({ "List-Unsubscribe": "One-Click" })) =>
  run(stopPage.action, new Request(TEST_ORIGIN + serverPaths.noMoreMessages(token), { method: "POST", body }), {
    token,
  });

const eventsOf = (orderId: number, event: string) =>
  getDb().selectFrom("auditEntries").selectAll().where("orderId", "=", orderId).where("event", "=", event).execute();

describe("a contact who wants no more messages", () => {
  test("[PUR-02] opens a page that changes nothing; its button stops messages once and writes an entry at the order", async () => {
    const email = newEmail();
    const { orderId, certificateId, buyer } = await orderNaming(email);
    const token = await stopTokenOf(orderId);
    const { status, html } = await open(token);
    expect(status).toBe(200);
    expect(pageText(html)).toContain(email);
    expect(pageText(html)).toContain(`SO-${orderId}`);
    expect(await stopOf(email)).toBeUndefined();

    expect((await press(token)).status).toBe(200);
    expect(await stopOf(email)).toMatchObject({ orderId });
    expect((await press(token)).status).toBe(200);
    expect(pageText((await open(token)).html)).toContain("Nothing more is sent");
    const told = (await mailsTo(buyer.user.email)).filter(({ dedupeKey }) => dedupeKey.startsWith("contact-stopped:"));
    expect(told.map(({ subject }) => subject)).toEqual(["Your authentication contact wants no messages from us"]);
    expect(told[0]?.text).toContain(`SO-${orderId}`);
    expect(await eventsOf(orderId, "contact.stopped")).toMatchObject([
      { actorId: null, actorName: email, certificateId, userId: buyer.user.id, reference: null },
    ]);
  });

  test.each(["", "unknown", "x".repeat(43)])("[PUR-02] stops nothing by an unknown link ('%s')", async (token) => {
    const before = await stops();
    expect((await open(token)).status).toBe(404);
    expect((await press(token)).status).toBe(404);
    expect((await oneClick(token)).status).toBe(404);
    expect(await stops()).toEqual(before);
  });

  test("[PUR-02] can stop them by one click in a mail program, in either form; another POST needs the token of the page", async () => {
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    for (const body of [new URLSearchParams({ "List-Unsubscribe": "One-Click" }), form]) {
      const email = newEmail();
      const { orderId } = await orderNaming(email);
      const token = await stopTokenOf(orderId);
      expect((await oneClick(token, new URLSearchParams({ "List-Unsubscribe": "yes" }))).status).toBe(403);
      expect((await oneClick(token, "")).status).not.toBe(200);
      expect(await stopOf(email)).toBeUndefined();
      expect((await oneClick(token, body)).status).toBe(200);
      expect(await stopOf(email)).toBeDefined();
    }
  });

  test("[PUR-02] gets no further request; staff and customer see why; staff can allow messages and the request is sent", async () => {
    const email = newEmail();
    const first = await orderNaming(email);
    await press(await stopTokenOf(first.orderId));

    const { orderId, certificateId, buyer } = await orderNaming(email.toUpperCase());
    await deliverDueMail();
    expect(await requestOf(orderId)).toMatchObject({ sentAt: null, attempts: 0 });
    const shown = await openPage(completePage, buyer.visitor, buyer.url("order-complete"));
    expect(pageText(shown.html)).toContain("wants no messages from us");

    const queue = paths.certificateQueueOrder(certificateId);
    const params = { id: String(certificateId) };
    const staff = people.admin.visitor;
    const told = await openPage(queuePage, staff, queue, { params });
    expect(pageText(told.html)).toContain("This contact said: not me, send nothing more.");
    const waits = "Authorisation by the authentication contact, who wants no messages from us";
    const details = paths.certificateDetails(certificateId);
    expect(pageText((await openPage(detailsPage, buyer.visitor, details, { params })).html)).toContain(waits);
    const list = `/home/certificate-queue?search=SO-${orderId}`;
    expect(pageText((await openPage(queueList, staff, list)).html)).toContain(waits);
    const confirmation = (await mailsOf(orderId)).find(
      ({ dedupeKey }) => dedupeKey === `order-confirmation:${orderId}`,
    );
    expect(await textOf(confirmation)).toContain("we cannot ask for the authorisation by email");
    const held = await openPage(mailPage, staff, "/home/mail?state=held");
    expect(pageText(held.html)).toContain("The contact wants no more messages");

    const allowed = await run(queuePage.action, await staff.post(queue, { intent: "allow-messages" }), params);
    expect([allowed.status, allowed.headers.get("Location")]).toEqual([303, queue]);
    expect(await eventsOf(orderId, "contact.allowed")).toMatchObject([
      { actorName: people.admin.email, certificateId },
    ]);
    await deliverDueMail();
    expect((await requestOf(orderId))?.sentAt).not.toBeNull();
    const again = await run(queuePage.action, await staff.post(queue, { intent: "allow-messages" }), params);
    expect(again.status).toBe(303);
    expect(await eventsOf(orderId, "contact.allowed")).toHaveLength(1);
  });

  test("[MAI-01] gets no invoice, which staff see on the order; the customer gets it", async () => {
    const email = newEmail();
    await press(await stopTokenOf((await orderNaming(email)).orderId));
    const id = await createInvoiceableOrder(people.customer, { invoiceAddress: { email } });
    const staff = people.admin.visitor;
    expect((await saveSale(staff, id, { status: "Invoiced" })).status).toBe(303);
    expect((await invoiceMailsOf(id)).map(({ recipient }) => recipient)).toEqual([people.customer.email]);
    expect(await eventsOf(id, "mail.not-sent")).toMatchObject([
      { message: `The message 'invoice' to ${email} was not sent: the address wants no more messages as a contact.` },
    ]);
    const { html } = await openPage(salePage, staff, paths.salesOrder(id));
    expect(pageText(html)).toContain("This contact said: not me, send nothing more.");
    const path = paths.salesOrder(id);
    expect((await run(salePage.action, await staff.post(path, { intent: "allow-messages" }))).status).toBe(303);
    expect(await stopOf(email)).toBeUndefined();
  });

  test("[MAI-01] still gets the messages of an own account with that address", async () => {
    const email = newEmail();
    await press(await stopTokenOf((await orderNaming(email)).orderId));
    const buyer = await buyerAtInvoice(pem, {}, { email });
    await buyer.invoice();
    const { isNotified } = await onlyOrder(buyer);
    expect(isNotified).toBe(true);
  });

  test("[MAI-03] has held messages that cannot be sent by hand and can be dismissed", async () => {
    const { orderId } = await orderNaming(newEmail(), { emailVerifiedAt: null });
    const request = await requestOf(orderId);
    const staff = people.admin.visitor;
    const id = String(request?.id);
    const again = await run(mailPage.action, await staff.post("/home/mail", { id, intent: "send-again" }));
    expect(again.status).toBe(422);
    expect(await again.text()).toContain("Held messages cannot be sent");
    const fields = { id, intent: "dismiss", confirmed: "yes" };
    expect((await run(mailPage.action, await staff.post("/home/mail", fields))).status).toBe(303);
    expect(await requestOf(orderId)).toMatchObject({
      text: "",
      stopUrl: null,
      dismissedAt: expect.any(String) as string,
    });
    const [entry] = await eventsOf(orderId, "mail.dismissed");
    expect(entry?.message).toMatch(/, which was held, was dismissed\.$/);
  });
});

describe("the headers of a message to a contact", () => {
  const headersOf = async (orderId: number) => {
    const request = await requestOf(orderId);
    if (!request) throw new Error("There is no request.");
    return readFileSync(join(portal.dataDir, "outbox", outboxFileName(request)), "utf8").replace(/\r\n[ \t]+/g, " ");
  };

  test("[MAI-01] are List-Unsubscribe, and One-Click where the portal uses https (RFC 8058)", async () => {
    const plain = await headersOf((await orderNaming(newEmail())).orderId);
    expect(plain).toMatch(/^List-Unsubscribe: <http:\/\/portal\.test\/no-more-messages\/[\w-]{43}>\r$/m);
    expect(plain).not.toContain("List-Unsubscribe-Post");

    const { buyer, orderId } = await orderNaming(newEmail(), { emailVerifiedAt: null });
    const stopUrl = `https://portal.test${serverPaths.noMoreMessages("x".repeat(43))}`;
    await getDb()
      .updateTable("mails")
      .set({ stopUrl })
      .where("id", "=", (await requestOf(orderId))?.id ?? 0)
      .execute();
    await updateUser(getDb(), buyer.user.id, { emailVerifiedAt: new Date() });
    await deliverDueMail();
    const secure = await headersOf(orderId);
    expect(secure).toContain(`List-Unsubscribe: <${stopUrl}>`);
    expect(secure).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  });

  test("[MAI-01] are not in the customer's own messages", async () => {
    const { orderId } = await orderNaming(newEmail());
    const [own] = await mailsOf(orderId);
    if (!own) throw new Error("There is no message.");
    const source = readFileSync(join(portal.dataDir, "outbox", outboxFileName(own)), "utf8");
    expect(source).not.toContain("List-Unsubscribe");
    expect(await textOf(own)).not.toContain("no-more-messages");
  });
});

describe("guessing", () => {
  test("[GEN-02] is limited by network", async () => {
    setVariable("RATE_LIMITS", "on");
    const statuses = new Set<number>();
    for (let count = 0; count < 61; count += 1) statuses.add((await oneClick("guess")).status);
    setVariable("RATE_LIMITS", "off");
    expect([...statuses]).toEqual([404, 429]);
  });
});

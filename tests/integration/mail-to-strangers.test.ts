import { readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { queueOwnMail } from "~/domain/mail/queue.service.server";
import { outboxFileName } from "~/domain/mail/transport.server";
import { type CompletedOrder } from "~/domain/orders/completed-order.service.server";
import { DAY } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import * as verify from "~/routes/_public.verify-email.$token";
import { loader as codesCompleteLoader } from "~/routes/home.code.purchase.order-complete";
import { loader as userLoader } from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { moveOwned } from "~db/repositories/account-merge.server";
import { findMailFigures } from "~db/repositories/mail-figures.server";
import { issueToken } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { newProgram } from "../support/api";
import { codeOrderBody, type Completion } from "../support/api-orders";
import { mailsOf } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { createInvoiceableOrder } from "../support/invoices";
import { plainMail } from "../support/mails";
import { useOpenssl } from "../support/openssl";
import { readable, textOf } from "../support/outbox";
import { usePortal } from "../support/portal";
import { requestCode } from "../support/recovery";
import { saveSale } from "../support/sales-orders";
import { customer, newEmail, saveSecret } from "../support/user-details";
import { anonymous, jsonOf, run, signedInAs } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { CODE_ORDER, newWindow } from "./code-purchase-journey";
import { buyerAtInvoice, type Buyer, certificateOf, CONTACT, onlyOrder } from "./purchase-journey";

const { loader: completeLoader } = purchase.complete;

const portal = usePortal();
const { makeCsr } = useOpenssl();
const { pem } = makeCsr({ san: ["DNS:oftp.acme.example"] });
const UNCONFIRMED = { emailVerifiedAt: null };

/** Confirms the address of an account with the link in its message. */
async function confirm({ id: userId, email }: { id: number; email: string }): Promise<void> {
  const link = { purpose: "verify-email", email, userId, lifetimeMs: DAY } as const;
  const token = await inTransaction((trx) => issueToken(trx, link));
  const visitor = await anonymous();
  await run(verify.action, await visitor.post(serverPaths.verifyEmail(token)), { token });
}

const mailsTo = (recipient: string) =>
  getDb().selectFrom("mails").selectAll().where("recipient", "=", recipient).orderBy("id").execute();
const sentTo = async (recipient: string) => (await mailsTo(recipient)).filter(({ sentAt }) => sentAt !== null);

async function orderOf(buyer: Buyer) {
  expect((await buyer.invoice()).headers.get("Location")).toBe(buyer.url("order-complete"));
  return onlyOrder(buyer);
}
const completed = async (buyer: Buyer) =>
  jsonOf<CompletedOrder>(await run(completeLoader, buyer.visitor.get(buyer.url("order-complete"))));

/** Returns what the page says about the authentication contact. */
const contactStepOf = async (buyer: Buyer) =>
  (await completed(buyer)).steps.find(({ name }) => name === "contact")?.text;

const orderCodes = (client: Awaited<ReturnType<typeof newProgram>>["client"]): Promise<Completion> =>
  client.post("codes/completePurchaseJourney", codeOrderBody());

describe("messages to people whom the customer named", () => {
  test("[PUR-02] [MAI-03] the request to authorise is sent when the customer's address is confirmed", async () => {
    const buyer = await buyerAtInvoice(pem, {}, UNCONFIRMED);
    const order = await orderOf(buyer);
    expect(order.isNotified).toBe(true); // the message to the customer is the first one of the day
    const [own, request] = await mailsOf(order.id);
    expect(own).toMatchObject({ recipient: buyer.user.email, sentAt: expect.any(String) as string });
    expect(await textOf(own)).toContain("as soon as your own email address is confirmed");
    expect(request).toMatchObject({ recipient: CONTACT.email, sentAt: null, attempts: 0, isContact: true });
    expect(await completed(buyer)).toMatchObject({ isConfirmationHeld: false });
    expect(await contactStepOf(buyer)).toContain("as soon as the email address above is confirmed");

    await deliverDueMail(new Date(Date.now() + DAY));
    expect(await mailsOf(order.id)).toMatchObject([{ attempts: 1 }, { attempts: 0, sentAt: null }]);

    await confirm(buyer.user);
    await deliverDueMail();
    const [, sent] = await mailsOf(order.id);
    expect(sent).toMatchObject({ sentAt: expect.any(String) as string, text: "", html: "", stopUrl: null });
    expect(await textOf(sent)).toMatch(/\/authorise-order\/[\w-]{43}\n/);
    expect(await contactStepOf(buyer)).toContain("has to follow the link in our message");
  });

  test("[PUR-02] the contact has 30 days from the sending of the request, however long it waited", async () => {
    const buyer = await buyerAtInvoice(pem, {}, UNCONFIRMED);
    const { id } = await orderOf(buyer);
    const later = new Date(Date.now() + 45 * DAY);
    await confirm(buyer.user);
    await deliverDueMail(later);
    const [, request] = await mailsOf(id);
    expect(request?.sentAt).not.toBeNull();
    const { expiresAt } = await getDb()
      .selectFrom("tokens")
      .select("expiresAt")
      .where("certificateId", "=", (await certificateOf(id)).id)
      .executeTakeFirstOrThrow();
    expect(Math.abs(Date.parse(expiresAt) - later.getTime() - 30 * DAY)).toBeLessThan(60_000);
    const message = await PostalMime.parse(
      readFileSync(join(portal.dataDir, "outbox", outboxFileName(request ?? { id: 0, createdAt: "" }))),
    );
    expect(Math.abs(Date.parse(message.date ?? "") - later.getTime())).toBeLessThan(60_000);
  });

  test("[PUR-02] nobody is asked to authorise an order that was cancelled in the meantime", async () => {
    const buyer = await buyerAtInvoice(pem, {}, UNCONFIRMED);
    const { id } = await orderOf(buyer);
    await getDb().updateTable("certificates").set({ status: "Cancelled" }).where("orderId", "=", id).execute();
    await confirm(buyer.user);
    await deliverDueMail();
    const [, request] = await mailsOf(id);
    expect(request).toMatchObject({ sentAt: null, dismissedAt: expect.any(String) as string, text: "", stopUrl: null });
  });

  test("[MAI-01] an invoice goes to the customer at once, and to another invoice address when the customer's is confirmed", async () => {
    const user = await createUser(UNCONFIRMED);
    const other = newEmail();
    const id = await createInvoiceableOrder(user, { invoiceAddress: { email: other } });
    const visitor = await signedInAs(await createAdmin());
    expect((await saveSale(visitor, id, { status: "Invoiced" })).status).toBe(303);
    await deliverDueMail();
    expect(await sentTo(user.email)).toHaveLength(1);
    expect(await mailsTo(other)).toMatchObject([{ sentAt: null, isContact: true }]);
    await confirm(user);
    await deliverDueMail();
    expect(await sentTo(other)).toHaveLength(1);
  });

  test("[PUR-02] typed text is neither in the subject nor the first line and is no link; a thousand names are not listed", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `DNS:n${index}.evil.example`);
    const { pem: many } = makeCsr({ subject: "/C=DE/O=www.evil.example win/CN=evil.example", san: names });
    const given = { firstName: "Visit https://evil.example", lastName: "now", company: "evil.example Ltd" };
    const buyer = await buyerAtInvoice(many, {}, given);
    const order = await orderOf(buyer);
    const [own, request] = await mailsOf(order.id);
    expect(request?.subject).toBe(`Please authorise certificate order SO-${order.id}`);
    const text = await textOf(request);
    const [greeting, , first] = text.split("\n");
    expect(greeting).toBe("Hello,");
    expect(first).toMatch(/^One of our customers has ordered a digital certificate/);
    expect(text).not.toMatch(/evil\.example|https:\/\/evil|@example-parts/);
    expect(readable(text)).toContain("evil.example Ltd");
    expect(readable(text)).toMatch(/n3\.evil\.example, n4\.evil\.example, and 3\d more/);
    expect(own?.subject).toBe(`Order SO-${order.id}: we have received your certificate order`);
  });
});

describe("messages to an unconfirmed own address", () => {
  test("[MAI-01] are limited to three a day, also for simultaneous orders; the others wait and none is lost", async () => {
    const { user, client } = await newProgram(UNCONFIRMED);
    const answers = await Promise.all(Array.from({ length: 8 }, () => orderCodes(client)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(answers.filter(({ content }) => content.isNotified)).toHaveLength(3);
    await deliverDueMail();
    expect(await sentTo(user.email)).toHaveLength(3);

    const held = (await mailsTo(user.email)).filter(({ sentAt }) => sentAt === null);
    expect(held).toHaveLength(5);
    const staff = await createAdmin();
    const seen = await jsonOf<{ user: { heldMails: number } }>(
      await run(userLoader, (await signedInAs(staff)).get(paths.user(user.id)), { id: String(user.id) }),
    );
    expect(seen.user.heldMails).toBe(5);

    await confirm(user);
    await deliverDueMail();
    expect(await sentTo(user.email)).toHaveLength(8);
  });

  test("[MAI-01] are limited to three more the next day; links to confirm the address are not limited", async () => {
    const { user, client } = await newProgram(UNCONFIRMED);
    for (let count = 0; count < 4; count += 1) await orderCodes(client);
    await getDb()
      .updateTable("mails")
      .set({ createdAt: new Date(Date.now() - DAY - 1000) })
      .where("recipient", "=", user.email)
      .execute();
    expect((await orderCodes(client)).content.isNotified).toBe(true);
    expect(await sentTo(user.email)).toHaveLength(4);
  });

  test("[PUR-10] are mentioned as waiting by Order Complete, for certificates and codes", async () => {
    const { user, client } = await newProgram(UNCONFIRMED);
    for (let count = 0; count < 3; count += 1) await orderCodes(client);
    const visitor = await signedInAs(user);
    const codes = await newWindow(user, visitor);
    await codes.confirm();
    await codes.order(CODE_ORDER);
    expect((await codes.invoice()).status).toBe(303);
    const shown = await run(codesCompleteLoader, visitor.get(codes.url("order-complete")));
    expect(await jsonOf(shown)).toMatchObject({ isNotified: false, isConfirmationHeld: true });
  });

  test("[MAI-01] greet nobody by the typed name", async () => {
    const { user, client } = await newProgram({ ...UNCONFIRMED, firstName: "Win at www.evil.example" });
    await orderCodes(client);
    const [own] = await mailsTo(user.email);
    expect(await textOf(own)).toMatch(/^Hello,\n/);
    expect(await textOf(own)).not.toContain("evil.example");
  });

  test("[MAI-01] [USR-03] follow the account to another address while they wait, and the old one gets none", async () => {
    const { user, visitor } = await customer(UNCONFIRMED);
    await inTransaction(async (trx) => {
      const mail = plainMail("Hello", "A message.");
      for (let count = 0; count < 4; count += 1)
        await queueOwnMail(trx, user.id, { dedupeKey: `order-confirmation:moved-${count}`, mail });
    });
    const email = newEmail();
    expect((await saveSecret(visitor, { email })).status).toBe(303);
    expect(await mailsTo(user.email)).toHaveLength(3);
    expect((await mailsTo(email)).map(({ dedupeKey }) => dedupeKey.split(":")[0])).toEqual([
      "order-confirmation",
      "verify-email",
    ]);
    await deliverDueMail();
    expect(await sentTo(email)).toHaveLength(1);
    await confirm({ id: user.id, email });
    await deliverDueMail();
    expect(await sentTo(email)).toHaveLength(2);
  });

  test("[REC-02] have at most ten reset codes a day", async () => {
    const { user } = await customer(UNCONFIRMED);
    for (let count = 0; count < 12; count += 1) await requestCode(user.email).catch(() => undefined);
    expect(await mailsTo(user.email)).toHaveLength(10);
  }, 60_000);
});

describe("held messages", () => {
  test("[CON-01] of a closed account are released by a merge", async () => {
    const survivor = await createUser();
    const buyer = await buyerAtInvoice(pem, {}, UNCONFIRMED);
    const order = await orderOf(buyer);
    await inTransaction((trx) => moveOwned(trx, [buyer.user.id], survivor.id));
    await deliverDueMail();
    expect((await mailsOf(order.id)).every(({ sentAt }) => sentAt !== null)).toBe(true);
  });

  test("[MAI-03] do not count as waiting, nor as the oldest message", async () => {
    await getDb().deleteFrom("mails").execute();
    const buyer = await buyerAtInvoice(pem, {}, UNCONFIRMED);
    await orderOf(buyer);
    expect(await findMailFigures(getDb())).toEqual({ waiting: 0, failing: 0, rejected: 0, held: 1, oldest: null });
  });
});

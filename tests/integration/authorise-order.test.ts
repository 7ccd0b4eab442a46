import { beforeAll, describe, expect, test } from "vitest";
import { type AskedContact } from "~/domain/certificates/queue/authorisation.service.server";
import { addDays, formatDate } from "~/lib/dates";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as page from "~/routes/_public.authorise-order.$token/route";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import { getDb } from "~db/connection.server";
import { mailsOf } from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createAdmin } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { readable, textOf } from "../support/outbox";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { clientFrom, forgetSecurityEvents, securityEvents } from "../support/security-events";
import { withTrigger } from "../support/triggers";
import { anonymous, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { certificateOf, CONTACT, newBuyer, ordersOf, type Buyer } from "./purchase-journey";
import { newRenewer } from "./renewal-journey";

const { action, loader } = page;

usePortal();
const { makeCsr } = useOpenssl();
/** Returns a CSR with a new key each time, because a key belongs to one account. */
const newCsr = () => makeCsr({ san: ["DNS:oftp.acme.example"] }).pem;

let contact: Visitor;
beforeAll(async () => {
  contact = await anonymous();
});

/** Returns a completed order, and the token of the link that its authentication contact received. */
async function orderedLink(): Promise<{ token: string; orderId: number; buyer: Buyer }> {
  const buyer = await (await newBuyer()).upToInvoice(newCsr());
  await buyer.invoice();
  const [order] = await ordersOf(buyer.user.id);
  const orderId = order?.id ?? 0;
  const mails = getDb().selectFrom("mails").selectAll().where("orderId", "=", orderId);
  const mail = await mails.where("recipient", "=", CONTACT.email).executeTakeFirstOrThrow();
  return { token: /authorise-order\/([\w-]+)/.exec(await textOf(mail))?.[1] ?? "", orderId, buyer };
}

const open = async (token: string) => run(loader, contact.get(rarePaths.authoriseOrder(token)), { token });
const pageOf = async (token: string) => {
  const response = await open(token);
  const { authorisation } = await jsonOf<{ authorisation: AskedContact | null }>(response);
  return { status: response.status, authorisation };
};
const answer = async (token: string, fields: Record<string, string>) => {
  const response = await run(action, await contact.post(rarePaths.authoriseOrder(token), fields), { token });
  const outcome = await jsonOf<{ asked: string | null; answered: string | null }>(response);
  return { status: response.status, ...outcome };
};

describe("[PUR-02] the authentication contact's link", () => {
  test("[PUR-02] shows who ordered what without a login", async () => {
    const { token, orderId, buyer } = await orderedLink();
    const { status, authorisation } = await pageOf(token);
    expect(status).toBe(200);
    expect(authorisation).toMatchObject({
      contactName: CONTACT.name,
      contactEmail: CONTACT.email,
      applicant: { name: "Anna Müller", company: "Example Parts Ltd", email: buyer.user.email },
      orderNumber: `SO-${orderId}`,
      commonName: "oftp.acme.example",
      organisation: "Acme GmbH",
      validity: "2 years",
      names: [{ caption: "Domain names", values: ["oftp.acme.example"] }],
    });
  });

  test("[PUR-02][REN-01] names the certificate that a renewal renews, and none for a first order", async () => {
    const htmlOf = async (token: string) =>
      (await openPage(page, contact, rarePaths.authoriseOrder(token), { params: { token } })).html;
    const first = await htmlOf((await orderedLink()).token);
    expect(pageText(first)).toContain("authorise this certificate order");
    expect(first).not.toContain("Renewal of certificate");

    const { original, renewer } = await newRenewer(newCsr());
    await renewer.upToInvoice(newCsr());
    await renewer.invoice();
    const order = (await ordersOf(renewer.user.id)).find(({ id }) => id !== original.orderId);
    const mail = (await mailsOf(order?.id ?? 0)).at(-1);
    const until = formatDate(original.expiryDate);
    expect(mail?.subject).toBe(`Please authorise certificate renewal SO-${order?.id}`);
    const text = mail ? await textOf(mail) : "";
    expect(readable(text)).toContain(`${original.id} (oftp.acme.example), valid until ${until}`);
    const token = /authorise-order\/([\w-]+)/.exec(text)?.[1] ?? "";
    const html = await htmlOf(token);
    expect(pageText(html)).toContain("authorise this renewal of a certificate");
    expect(textsOf(html, 'dt:contains("Renewal of certificate") + dd')).toEqual([
      `${original.id} (oftp.acme.example), valid until ${until}`,
    ]);
  });

  test.each([
    ["authorise", "authorised"],
    ["refuse", "refused"],
  ])("[PUR-02] asks, then stores and audits the answer once: %s", async (intent, stored) => {
    const { token, orderId } = await orderedLink();
    expect(await answer(token, { intent })).toEqual({ status: 200, asked: intent, answered: null });
    expect((await certificateOf(orderId)).contactAnswer).toBeNull();

    expect(await answer(token, { intent, confirmed: "yes" })).toEqual({ status: 200, asked: null, answered: stored });
    expect(await certificateOf(orderId)).toMatchObject({
      status: "Pending",
      contactAnswer: stored,
      contactAnswerBy: CONTACT.email,
      contactAnsweredAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    const entries = getDb().selectFrom("auditEntries").selectAll().where("orderId", "=", orderId);
    expect(await entries.where("event", "=", `certificate.contact-${stored}`).execute()).toMatchObject([
      { actorId: null, actorName: CONTACT.email },
    ]);

    const other = intent === "authorise" ? "refuse" : "authorise";
    expect(await answer(token, { intent: other, confirmed: "yes" })).toMatchObject({ status: 404, answered: null });
    expect((await certificateOf(orderId)).contactAnswer).toBe(stored);
    expect(await pageOf(token)).toEqual({ status: 404, authorisation: null });
  });

  test("[PUR-02] accepts one of two answers at the same time", async () => {
    const { token, orderId } = await orderedLink();
    const answers = await Promise.all(
      ["authorise", "refuse", "authorise"].map((intent) => answer(token, { intent, confirmed: "yes" })),
    );
    const counted = answers.filter(({ answered }) => answered !== null);
    expect(counted).toHaveLength(1);
    expect((await certificateOf(orderId)).contactAnswer).toBe(counted[0]?.answered);
  });

  test("[PUR-02] without a button records no answer", async () => {
    const { token, orderId } = await orderedLink();
    expect(await answer(token, { confirmed: "yes" })).toEqual({ status: 200, asked: null, answered: null });
    expect((await certificateOf(orderId)).contactAnswer).toBeNull();
  });

  test.each(["", "unknown", "x".repeat(43)])("[PUR-02] that is unknown ('%s') gets a clear page", async (token) => {
    expect(await pageOf(token)).toEqual({ status: 404, authorisation: null });
    expect(await answer(token, { intent: "authorise", confirmed: "yes" })).toMatchObject({ status: 404 });
  });

  test("[PUR-02] expires after 30 days", async () => {
    const { token, orderId } = await orderedLink();
    const { id } = await certificateOf(orderId);
    const link = await getDb()
      .selectFrom("tokens")
      .selectAll()
      .where("certificateId", "=", id)
      .executeTakeFirstOrThrow();
    const days = (Date.parse(link.expiresAt) - Date.parse(link.createdAt)) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(30); // counted from the time when the message was sent, slightly later
    expect(days).toBeLessThan(30.01);
    expect(link.tokenHash).not.toContain(token);
    await getDb()
      .updateTable("tokens")
      .set({ expiresAt: addDays(new Date(), -1) })
      .where("id", "=", link.id)
      .execute();
    expect((await pageOf(token)).status).toBe(404);
    expect(await answer(token, { intent: "authorise", confirmed: "yes" })).toMatchObject({ answered: null });
    expect((await certificateOf(orderId)).contactAnswer).toBeNull();
  });

  test.each([
    { status: "Cancelled" as const },
    { contactAnswer: "authorised" as const },
    { tbsCertificate: Buffer.from("recorded") },
  ])("[PUR-02] is dead when the order needs no answer any more (%o)", async (change) => {
    const { token, orderId } = await orderedLink();
    await getDb().updateTable("certificates").set(change).where("orderId", "=", orderId).execute();
    expect((await pageOf(token)).status).toBe(404);
    expect(await answer(token, { intent: "refuse", confirmed: "yes" })).toMatchObject({ answered: null });
  });

  test("[PUR-02] does not overwrite an answer that staff record at the same time", async () => {
    const { token, orderId } = await orderedLink();
    const { id } = await certificateOf(orderId);
    // Staff record the answer between the check of the link and the use of its token.
    const statement = `update certificates set contact_answer = 'authorised', contact_answer_by = 'olga@example.org' where id = ${id}`;
    const refused = await withTrigger({ table: "tokens", event: "update", statement }, () =>
      answer(token, { intent: "refuse", confirmed: "yes" }),
    );
    expect(refused).toMatchObject({ status: 404, answered: null });
    expect(await certificateOf(orderId)).toMatchObject({
      contactAnswer: "authorised",
      contactAnswerBy: "olga@example.org",
    });
  });

  test("[PUR-02] that is answered in a browser without scripts is no dead link", async () => {
    const { token } = await orderedLink();
    await forgetSecurityEvents();
    const { html } = await openPage(page, contact, rarePaths.authoriseOrder(token), {
      params: { token },
      fields: { intent: "authorise", confirmed: "yes" },
    });
    expect(pageText(html)).toContain("Thank you");
    expect((await securityEvents()).filter(({ event }) => event === "link.refused")).toEqual([]);
    await run(loader, contact.get(rarePaths.authoriseOrder(token), clientFrom("198.51.100.77")), { token });
    expect((await securityEvents()).filter(({ event }) => event === "link.refused")).toHaveLength(1);
  });

  test("[PUR-02] refuses a form without its CSRF token", async () => {
    const { token, orderId } = await orderedLink();
    const request = await contact.post(rarePaths.authoriseOrder(token), {
      intent: "authorise",
      confirmed: "yes",
      csrf: "x",
    });
    expect((await run(action, request, { token })).status).toBe(403);
    expect((await certificateOf(orderId)).contactAnswer).toBeNull();
  });
});

describe("[PUR-02] in a small office", () => {
  test("[PUR-02] an administrator authorises as the contact and issues the certificate, alone", async () => {
    const { token, orderId } = await orderedLink();
    const { id } = await certificateOf(orderId);
    const admin = await createAdmin({ firstName: "Berta", lastName: "Brown" }); // the contact's name
    expect((await pageOf(token)).authorisation).toMatchObject({ barrier: null });
    expect(await answer(token, { intent: "authorise", confirmed: "yes" })).toMatchObject({ answered: "authorised" });
    const staff = await signedInAs(admin);
    const path = paths.certificateQueueOrder(id);
    for (const fields of [
      checkForm({ organisation: "Seen" }),
      checkForm({ csr: "Seen" }),
      { intent: "approve", confirmed: "yes" },
    ])
      expect((await run(orderPage.action, await staff.post(path, fields), { id: String(id) })).status).toBe(303);
    expect(await certificateOf(orderId)).toMatchObject({ status: "Issued" });
  });

  test("[PUR-02] staff who ordered in the customer's name do not authorise as the contact", async () => {
    const { token, orderId } = await orderedLink();
    const admin = await createAdmin({ firstName: "Acting", lastName: "Admin" });
    const created = getDb().updateTable("auditEntries").set({ impersonatorId: admin.id });
    await created.where("orderId", "=", orderId).where("event", "=", "order.created").execute();
    const contact = JSON.stringify({ ...CONTACT, name: "acting admin" });
    await getDb().updateTable("certificates").set({ authenticationContact: contact }).execute();
    expect((await pageOf(token)).authorisation?.barrier).toContain("a member of staff who took part in this order");
    expect(await answer(token, { intent: "authorise", confirmed: "yes" })).toMatchObject({ status: 422 });
    expect(await certificateOf(orderId)).toMatchObject({ contactAnswer: null });
    expect(await answer(token, { intent: "refuse", confirmed: "yes" })).toMatchObject({ answered: "refused" });
  });
});

describe("[PUR-02] guessing", () => {
  usePortal({ RATE_LIMITS: "on" });

  test("[PUR-02] is limited by network address", async () => {
    const guesser = await anonymous();
    const guess = async () => run(loader, guesser.get(rarePaths.authoriseOrder("guess")), { token: "guess" });
    const statuses = new Set<number>();
    for (let count = 0; count < 61; count += 1) statuses.add((await guess()).status);
    expect([...statuses]).toEqual([404, 429]);
  });
});

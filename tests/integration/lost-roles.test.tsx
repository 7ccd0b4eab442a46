import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as authorisePage from "~/routes/_public.authorise-order.$token/route";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import * as memberPage from "~/routes/home.company_.$id";
import * as salesOrderPage from "~/routes/home.sale-orders_.details/route";
import { getDb } from "~db/connection.server";
import { apiClientOf } from "../support/api";
import { askToken, makeClient } from "../support/api-clients";
import { type Completion } from "../support/api-orders";
import { createColleague } from "../support/companies";
import { erase } from "../support/erasure";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { anonymous, run, signedInAs, type Visitor } from "../support/visitor";
import { Buyer, certificateOf, CONTACT, invoicePage, ordersOf } from "./purchase-journey";
import { issueEnding, startRenewing } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();

const memberPath = ({ id }: { id: number }) => paths.companyMember(id);

/** Returns the text of the page that answers this form. */
const askedAt = async (visitor: Visitor, member: { id: number }, fields: Record<string, string>) =>
  pageText(
    (await openPage(memberPage, visitor, memberPath(member), { params: { id: String(member.id) }, fields })).html,
  );

const confirmAt = async (visitor: Visitor, member: { id: number }, fields: Record<string, string>) =>
  run(memberPage.action, await visitor.post(memberPath(member), { ...fields, confirmed: "yes" }), {
    id: String(member.id),
  });

/** A company whose technical member has handed over a renewal. */
async function handedOver() {
  const owner = await createUser();
  const technical = await createColleague(owner, "technical");
  const purchaser = await createColleague(owner, "purchaser", { firstName: "Petra" });
  const original = await issueEnding(60, { customer: owner, csr: makeCsr().der });
  const preparer = await (await startRenewing(technical, original)).upToInvoice(makeCsr().pem);
  await preparer.invoice();
  const orderer = new Buyer(purchaser, await signedInAs(purchaser), preparer.draft, "renew");
  return { owner, technical, purchaser, original, preparer, orderer, visitor: await signedInAs(owner) };
}

const draftIs = async (id: string) =>
  (await getDb().selectFrom("drafts").select("orderId").where("id", "=", id).executeTakeFirst()) ?? null;

const entriesOf = (event: string, reference: string) =>
  getDb()
    .selectFrom("auditEntries")
    .selectAll()
    .where("event", "=", event)
    .where("reference", "=", reference)
    .execute();

const REMOVE = { intent: "remove" };
const READER = { intent: "role", role: "reader" };

describe("[REN-01] a renewal that a member has handed over and nobody has ordered", () => {
  test.each([
    ["the removal of the member", REMOVE, "is no longer a member of"],
    ["a role that may not prepare", READER, "lost the role that this needs"],
  ])("ends with %s: the question, the audit trail, the page and the call say so", async (_, change, why) => {
    const { owner, technical, original, preparer, orderer, visitor } = await handedOver();
    const program = await apiClientOf(orderer.user.email, TEST_PASSWORD);
    expect(await askedAt(visitor, technical, change)).toContain(
      `1 prepared renewal of Bernd The technical will end, because nobody has ordered it yet: ${original.commonName}.`,
    );
    expect(await draftIs(preparer.draft)).toEqual({ orderId: null });
    const fields = await orderer.invoiceFields();
    await confirmAt(visitor, technical, change);
    expect(await draftIs(preparer.draft)).toBeNull();
    expect(await entriesOf("renewal.ended", preparer.draft)).toMatchObject([
      { actorId: owner.id, userId: technical.id, certificateId: original.id, orderId: original.orderId },
    ]);
    const answer = await orderer.invoice(fields);
    expect(answer.headers.get("Location")).toBe(paths.certificates);
    orderer.visitor.follow(answer);
    const text = await toastOf(orderer.visitor);
    expect(text).toContain(`The prepared renewal of ${original.commonName} has ended, and nothing was ordered`);
    expect(text).toContain(`Bernd The technical, who had prepared it, ${why}`);
    const call = await program.post("certificates/CompletePreparedRenewal", {
      renewalId: preparer.draft,
      termsAndConditionsAccepted: true,
    });
    expect(call).toMatchObject({ status: 422 });
    expect(JSON.stringify(call.errors)).toContain(why);
    expect(await ordersOf(orderer.user.id)).toEqual([]);
    const stranger = await createUser();
    const foreign = await new Buyer(stranger, await signedInAs(stranger), preparer.draft, "renew").invoicePage();
    expect(await foreign.text()).not.toContain(original.commonName);
  });

  test("stays when the member gets a role that may prepare, without a question", async () => {
    const { technical, preparer, visitor } = await handedOver();
    await run(memberPage.action, await visitor.post(memberPath(technical), { intent: "role", role: "purchaser" }), {
      id: String(technical.id),
    });
    expect(await draftIs(preparer.draft)).toEqual({ orderId: null });
  });

  test("ends with the erasure of the member, and its page says why", async () => {
    const { owner, technical, preparer, orderer } = await handedOver();
    await erase(technical);
    expect(await draftIs(preparer.draft)).toBeNull();
    orderer.visitor.follow(await orderer.invoicePage());
    expect(await toastOf(orderer.visitor)).toContain(
      `Erased person ${technical.id}, who had prepared it, is no longer a member of ${owner.company}.`,
    );
  });

  test("ends with the removal of a colleague who replaced its CSR", async () => {
    const { owner, preparer, visitor } = await handedOver();
    const second = await createColleague(owner, "technical", { lastName: "Second" });
    const changer = new Buyer(second, await signedInAs(second), preparer.draft, "renew");
    await changer.order({ csr: makeCsr().pem, intent: "import" });
    await confirmAt(visitor, second, REMOVE);
    expect(await draftIs(preparer.draft)).toBeNull();
  });

  test("[PUR-09] is ordered with the invoice address of whoever orders, on the page and by the call", async () => {
    const { purchaser, technical, orderer } = await handedOver();
    const { values } = await invoicePage(orderer);
    expect(values).toMatchObject({ name: "Petra The purchaser", email: purchaser.email });
    await orderer.invoice({ ...values, vat: "" });
    expect((await invoicePage(orderer)).values.email).toBe(purchaser.email);
    const colleague = await createColleague(technical, "purchaser", { firstName: "Carla" });
    const other = new Buyer(colleague, await signedInAs(colleague), orderer.draft, "renew");
    expect((await invoicePage(other)).values.email).toBe(colleague.email);
    const program = await apiClientOf(colleague.email, TEST_PASSWORD);
    const body = { renewalId: orderer.draft, termsAndConditionsAccepted: true };
    const done: Completion = await program.post("certificates/CompletePreparedRenewal", body);
    expect(done.status).toBe(200);
    const [order] = await ordersOf(colleague.id);
    expect(order?.invoiceAddress).toContain(colleague.email);
    expect(order?.invoiceAddress).not.toContain(technical.email);
  });
});

describe("[REN-01] a renewal that was ordered before its preparer and its orderer left", () => {
  test("[MAN-03] says beside both names that they are no longer members, to the contact, to staff and to the company", async () => {
    const { owner, technical, purchaser, preparer, orderer, visitor } = await handedOver();
    await orderer.invoice();
    const [order] = await ordersOf(purchaser.id);
    const { id } = await certificateOf(order?.id ?? 0);
    const sent = (await mailsTo(CONTACT.email)).findLast(({ subject }) => subject.startsWith("Please authorise"));
    const token = /\/authorise-order\/([\w-]+)/.exec(sent ? await textOf(sent) : "")?.[1] ?? "";
    const pages = async () => [
      pageText(
        (await openPage(authorisePage, await anonymous(), `/authorise-order/${token}`, { params: { token } })).html,
      ),
      pageText(
        (
          await openPage(queuePage, await signedInAs(await createAdmin()), paths.certificateQueueOrder(id), {
            params: { id: String(id) },
          })
        ).html,
      ),
      pageText(
        (await openPage(detailsPage, visitor, paths.certificateDetails(id), { params: { id: String(id) } })).html,
      ),
    ];
    for (const text of await pages()) expect(text).not.toContain("no longer a member");
    for (const member of [technical, purchaser]) await confirmAt(visitor, member, REMOVE);
    const left = `(no longer a member of ${owner.company})`;
    for (const text of await pages()) {
      expect(text).toContain(`Bernd The technical ${left}`);
      expect(text).toContain(`Petra The purchaser ${left}`);
    }
    const office = await signedInAs(await createAdmin());
    const sale = await openPage(salesOrderPage, office, paths.salesOrder(order?.id ?? 0));
    expect(pageText(sale.html)).toContain(`Petra The purchaser ${left}`);
    expect(await draftIs(preparer.draft)).toEqual({ orderId: order?.id });
  });

  test("has an audit entry of the preparer that says when it was handed over", async () => {
    const { purchaser, technical, preparer, orderer } = await handedOver();
    await orderer.invoice();
    const [order] = await ordersOf(purchaser.id);
    const [entry] = await entriesOf("order.prepared", preparer.draft);
    expect(entry).toMatchObject({ actorId: technical.id, orderId: order?.id });
    expect(entry?.message).toMatch(
      /^Prepared order SO-\d+ before it was placed, which was handed over on \d\d\/\d\d\/\d{4} [\d:]{8} UTC\.$/,
    );
  });
});

describe("[API-01] the API clients of an owner", () => {
  async function withClient() {
    const owner = await createUser();
    const other = await createColleague(owner, "owner", { firstName: "Otto" });
    const client = await makeClient(other, ["certificates:read"], { name: "Store" });
    await makeClient(owner, ["certificates:read"], { name: "Kept" });
    return { owner, other, client };
  }

  test.each([
    ["removed", REMOVE, "is no longer a member of"],
    ["lowered", { intent: "role", role: "technical" }, "is no longer an owner"],
  ])("are named before the owner is %s, and the owners who stay get a message", async (_, change, what) => {
    const { owner, other, client } = await withClient();
    const visitor = await signedInAs(owner);
    const asked = await askedAt(visitor, other, change);
    expect(asked).toContain("This API client will be paused at once, because Otto The owner answers for it: Store.");
    expect(asked).toContain("let another owner first make a new secret");
    expect((await askToken(client)).status).toBe(200);
    await confirmAt(visitor, other, change);
    expect((await askToken(client)).status).toBe(400);
    const mail = (await mailsTo(owner.email)).findLast(({ dedupeKey }) => dedupeKey.startsWith("clients-paused:"));
    expect(mail?.text).toContain(`Otto The owner, who answered for these API clients, ${what}`);
    expect(mail?.text).toMatch(/Paused:? +Store/);
    expect(mail?.text).not.toContain("Kept");
  });

  test("are named before the owner leaves or hands over, and the new owner gets a message", async () => {
    const { owner, other } = await withClient();
    const visitor = await signedInAs(other);
    const yours = "because you answer for it: Store.";
    expect(await askedAt(visitor, other, REMOVE)).toContain(yours);
    expect(await askedAt(visitor, owner, { intent: "hand-over" })).toContain(yours);
    const third = await createColleague(owner, "reader");
    await confirmAt(visitor, third, { intent: "hand-over" });
    for (const { email } of [owner, third])
      expect((await mailsTo(email)).map(({ subject }) => subject)).toContain(`API clients of ${owner.company} paused`);
  });

  test("are paused with the erasure of the owner, and the other owners get a message without the name", async () => {
    const { owner, other } = await withClient();
    await erase(other);
    const mail = (await mailsTo(owner.email)).findLast(({ dedupeKey }) => dedupeKey.startsWith("clients-paused:"));
    expect(mail?.text).toContain(`Erased person ${other.id}, who answered for these API clients`);
    expect(mail?.text).toMatch(/Paused:? +Store/);
  });

  test("are not named when another owner made the secret, and nobody gets a message", async () => {
    const owner = await createUser();
    const other = await createColleague(owner, "owner");
    await makeClient(owner, ["certificates:read"]);
    const visitor = await signedInAs(owner);
    expect(await askedAt(visitor, other, REMOVE)).not.toContain("API client");
    await confirmAt(visitor, other, REMOVE);
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).not.toContain("paused");
  });
});

test("the last owner is told before the question that the company needs an owner", async () => {
  const owner = await createUser();
  await createColleague(owner, "reader");
  const visitor = await signedInAs(owner);
  const answer = await run(memberPage.action, await visitor.post(memberPath(owner), REMOVE), { id: String(owner.id) });
  visitor.follow(answer);
  expect(await toastOf(visitor)).toBe("A company needs an owner. Make somebody else an owner first.");
});

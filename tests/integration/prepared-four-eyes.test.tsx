import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CONTACT_REFUSED } from "~/domain/certificates/purchase/contact.policy";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import * as authorisePage from "~/routes/_public.authorise-order.$token/route";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as bulkPage from "~/routes/home.certificate-queue.approve";
import * as invoiceRoute from "~/routes/home.certificate.$wizard.invoice-address/route";
import * as certificatesPage from "~/routes/home.certificates";
import { getDb } from "~db/connection.server";
import { acting } from "../support/acting";
import { checksDone, readCertificate, setCertificate } from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createColleague } from "../support/companies";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { textOf } from "../support/outbox";
import { pageText, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, run, signedInAs, type Visitor } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { Buyer, certificateOf, CONTACT, draftOf, startPurchase } from "./purchase-journey";
import { issueEnding, pressRenew, startRenewing } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();

type Account = Awaited<ReturnType<typeof createUser>>;

const OWN = "Somebody other than those who prepared or placed an order";

let olga: Account;
let staff: Visitor;

beforeAll(async () => {
  olga = await createAdmin({ firstName: "Olga", lastName: "Office" });
  staff = await signedInAs(olga);
});

/** A company whose certificate ends soon, with a technical member and a purchaser. */
async function company() {
  const owner = await createUser();
  const technical = await createColleague(owner, "technical", { firstName: "Vera", lastName: "Tech" });
  const purchaser = await createColleague(owner, "purchaser", { firstName: "Petr", lastName: "Purchaser" });
  const original = await issueEnding(60, { customer: owner, csr: makeCsr().der });
  return { technical, purchaser, original };
}

/** Returns the same draft as another browser sees it. */
const sameDraft = async (user: Account, draft: string, visitor?: Visitor) =>
  new Buyer(user, visitor ?? (await signedInAs(user)), draft, "renew");

/** Olga prepares the renewal as the technical member and hands it over. Returns the purchaser at the last step. */
async function handedOver() {
  const { technical, purchaser, original } = await company();
  const { visitor } = await acting(olga, technical);
  const preparer = await sameDraft(technical, draftOf(await pressRenew(visitor, original.id)), visitor);
  await (await preparer.upToInvoice(makeCsr().pem)).invoice();
  return { technical, orderer: await sameDraft(purchaser, preparer.draft) };
}

/** The technical member prepares the renewal and hands it over; then Olga replaces its CSR, acting as a member. */
async function changedAfterwards(as: "technical" | "purchaser") {
  const { original, ...members } = await company();
  const preparer = await startRenewing(members.technical, original);
  await (await preparer.upToInvoice(makeCsr().pem)).invoice();
  const { visitor } = await acting(olga, members[as]);
  const changer = await sameDraft(members[as], preparer.draft, visitor);
  expect((await changer.order({ csr: makeCsr().pem, intent: "import" })).status).toBe(303);
  return sameDraft(members.purchaser, preparer.draft);
}

const auditOf = (certificateId: number) =>
  getDb().selectFrom("auditEntries").selectAll().where("certificateId", "=", certificateId).execute();

/** Returns the id of the certificate of the order that the buyer places now. */
async function placed(buyer: Buyer): Promise<number> {
  const answer = await buyer.invoice();
  expect(answer.headers.get("Location")).toContain("order-complete");
  const order = await getDb().selectFrom("orders").select("id").where("draftId", "=", buyer.draft).executeTakeFirst();
  return (await certificateOf(order?.id ?? 0)).id;
}

const WAYS: readonly [string, () => Promise<number>][] = [
  ["handed over while acting as the member", async () => placed((await handedOver()).orderer)],
  [
    "handed over so before drafts named whoever acted",
    async () => {
      const { technical, orderer } = await handedOver();
      const { data } = await getDb()
        .selectFrom("drafts")
        .select("data")
        .where("id", "=", orderer.draft)
        .executeTakeFirstOrThrow();
      const old = JSON.stringify({ ...(JSON.parse(data) as object), changedBy: [technical.id] });
      await getDb().updateTable("drafts").set({ data: old }).where("id", "=", orderer.draft).execute();
      return placed(orderer);
    },
  ],
  [
    "handed over so and ordered before orders had entries of those who prepared them",
    async () => {
      const id = await placed((await handedOver()).orderer);
      await getDb()
        .updateTable("auditEntries")
        .set({ event: "order.other" })
        .where("event", "=", "order.prepared")
        .execute();
      return id;
    },
  ],
  [
    "handed over by the member and changed afterwards while acting as the member",
    async () => placed(await changedAfterwards("technical")),
  ],
  [
    "handed over by the member and changed afterwards while acting as the purchaser",
    async () => placed(await changedAfterwards("purchaser")),
  ],
  [
    "begun while acting as the purchaser, who completes it",
    async () => {
      const purchaser = await createUser();
      const { visitor } = await acting(olga, purchaser);
      const begun = await new Buyer(purchaser, visitor, await startPurchase(visitor)).upToInvoice(makeCsr().pem);
      return placed(new Buyer(purchaser, await signedInAs(purchaser), begun.draft));
    },
  ],
];

describe("a renewal that staff prepared while acting as a member", () => {
  const NAMED = "Vera Tech (staff acted for them)";

  test("[REN-01] says so to its company and to the contact, and names the administrator to staff alone", async () => {
    const { technical, orderer } = await handedOver();
    const list = await openPage(certificatesPage, orderer.visitor, paths.certificates);
    expect(textsOf(list.html, 'td[data-l="Prepared by"]')).toEqual([NAMED]);
    const step = () =>
      openPage(invoiceRoute, orderer.visitor, orderer.url("invoice-address"), { params: orderer.params });
    expect(pageText((await step()).html)).toContain(`${NAMED} has prepared and handed over this renewal on`);
    expect((await mailsTo(orderer.user.email)).at(-1)?.text).toContain(`${NAMED} has prepared`);
    const own = await sameDraft(technical, orderer.draft);
    const ownPage = await openPage(invoiceRoute, own.visitor, own.url("invoice-address"), { params: own.params });
    expect(pageText(ownPage.html)).toContain(`${NAMED} has prepared`);

    const id = await placed(orderer);
    const complete = await openPage(purchase.complete, orderer.visitor, orderer.url("order-complete"));
    const details = await openPage(detailsPage, orderer.visitor, paths.certificateDetails(id), {
      params: { id: String(id) },
    });
    for (const { html } of [complete, details]) {
      expect(pageText(html)).toContain(`Prepared by ${NAMED}`);
      expect(html).not.toContain(olga.email);
    }
    const sent = (await mailsTo(CONTACT.email)).findLast(({ subject }) => subject.startsWith("Please authorise"));
    const mail = sent ? await textOf(sent) : "";
    expect(mail).toContain(NAMED);
    const token = /\/authorise-order\/([\w-]+)/.exec(mail)?.[1] ?? "";
    const asked = await openPage(authorisePage, await anonymous(), `/authorise-order/${token}`, { params: { token } });
    expect(pageText(asked.html)).toContain(`Prepared by ${NAMED}`);

    const queue = await openPage(orderPage, staff, paths.certificateQueueOrder(id), { params: { id: String(id) } });
    const text = pageText(queue.html);
    expect(text).toContain(`Prepared by Vera Tech (${olga.email} acted for them), `);
    expect(text).toMatch(/Ordered by Petr Purchaser ?, \d/);
    expect((await auditOf(id)).find(({ event }) => event === "order.prepared")).toMatchObject({
      actorId: technical.id,
      impersonatorId: olga.id,
      reference: orderer.draft,
    });
  });

  test.each([
    ["prepared it", handedOver],
    ["changed it afterwards", async () => ({ orderer: await changedAfterwards("technical") })],
  ])("[PUR-02] is not authorised by the administrator who %s, whom the page does not name", async (_, make) => {
    const { orderer } = await make();
    expect(await (await orderer.contactPage()).text()).not.toContain(olga.email);
    const refused = await orderer.contact({ email: olga.email.replace("@", "+ca@") });
    expect((await errorsOf(refused)).errors).toMatchObject({ email: CONTACT_REFUSED });
    await getDb()
      .updateTable("drafts")
      .set((eb) => ({ data: eb.fn<string>("replace", ["data", eb.val(CONTACT.email), eb.val(olga.email)]) }))
      .where("id", "=", orderer.draft)
      .execute();
    expect(await (await orderer.invoice()).text()).toContain("a member of staff who acted for you or a colleague");
  });

  test("[PUR-02] is not authorised by the administrator who acts as the one who orders", async () => {
    const purchaser = await createUser();
    const { visitor } = await acting(olga, purchaser);
    const buyer = new Buyer(purchaser, visitor, await startPurchase(visitor));
    expect((await errorsOf(await buyer.contact({ email: olga.email }))).errors).toMatchObject({
      email: CONTACT_REFUSED,
    });
  });
});

const send = async (who: Visitor, id: number, fields: Record<string, string>) =>
  run(orderPage.action, await who.post(paths.certificateQueueOrder(id), fields), { id: String(id) });

const approve = (who: Visitor, id: number) => send(who, id, { intent: "approve", confirmed: "yes" });

async function approveInBulk(who: Visitor, id: number) {
  const answer = await run(
    bulkPage.action,
    await who.post(`${staffPaths.approveOrders}?id=${id}`, { id: String(id), confirmed: "yes" }),
  );
  return (await answer.json()) as { issued: { id: number }[]; refused: { code: string; reason: string }[] };
}

describe.each(["small-office", "strict"] as const)("four eyes, %s: what staff prepared for a customer", (mode) => {
  beforeEach(() => {
    Object.assign(getConfig().accounts, { fourEyes: mode });
  });

  test.each(WAYS)("is neither checked nor approved by them, alone or in bulk: %s", async (_, make) => {
    const id = await make();
    for (const name of ["contact", "organisation", "csr"]) {
      const refused = await send(staff, id, checkForm({ [name]: "Seen" }));
      expect(JSON.stringify((await errorsOf(refused)).errors)).toContain(OWN);
    }
    const { html } = await openPage(orderPage, staff, paths.certificateQueueOrder(id), { params: { id: String(id) } });
    expect(html).toContain(OWN);
    await setCertificate(id, checksDone());
    expect(JSON.stringify((await errorsOf(await approve(staff, id))).errors)).toContain(OWN);
    const bulk = await approveInBulk(staff, id);
    expect(bulk).toMatchObject({ issued: [], refused: [{ code: "certificate.own-order" }] });
    expect((await readCertificate(id)).status).toBe("Pending");
    const other = await signedInAs(await createStaff(["approver"], { firstName: "Mia" }));
    expect((await approve(other, id)).status).toBe(303);
    expect((await readCertificate(id)).status).toBe("Issued");
  });
});

test("[PUR-02] a customer who resumes a draft that staff began is told so, before and after", async () => {
  const user = await createUser();
  const { visitor } = await acting(olga, user);
  const draft = await startPurchase(visitor);
  await new Buyer(user, visitor, draft).upToInvoice(makeCsr().pem);
  const own = await signedInAs(user);
  const told = "Staff acted for you in it: check the authentication contact and the CSR before you order.";
  const textOn = async (who: Visitor, id: string) =>
    pageText((await openPage(purchase.contact, who, new Buyer(user, who, id).url("contact-details"))).html);
  expect(await textOn(own, await startPurchase(own))).toContain(told);
  expect(await textOn(own, draft)).toContain(told);
  expect(await textOn(visitor, draft)).not.toContain(told);
});

import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import * as completion from "~/routes/_public.complete-registration";
import * as invitationPage from "~/routes/_public.invitation.$token";
import * as memberPage from "~/routes/home.company_.$id";
import * as sessionsPage from "~/routes/home.sessions";
import * as userDetails from "~/routes/home.user-management/route";
import { getDb } from "~db/connection.server";
import { apiClientOf } from "../support/api";
import { createColleague, invite, rolesIn } from "../support/companies";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { save } from "../support/user-details";
import { jsonOf, run, signedInAs, type Visitor } from "../support/visitor";
import { Buyer, startPurchase } from "./purchase-journey";
import { issueEnding, startRenewing } from "./renewal-journey";

usePortal();
const { makeCsr } = useOpenssl();

const accept = async (visitor: Visitor, token: string) =>
  run(invitationPage.action, await visitor.post(`/invitation/${token}`), { token });

const remove = async (visitor: Visitor, { id }: { id: number }) =>
  run(memberPage.action, await visitor.post(`/home/company/${id}`, { intent: "remove", confirmed: "yes" }), {
    id: String(id),
  });

const ordersOf = ({ companyId }: { companyId: number }) =>
  getDb().selectFrom("orders").select(["id", "userId"]).where("companyId", "=", companyId).execute();

describe("at the same time", () => {
  test("an invitation used by two requests makes one member", async () => {
    const [owner, invited] = [await createUser(), await createUser()];
    const token = await invite(owner, invited.email);
    const visitor = await signedInAs(invited);
    const answers = await Promise.all([accept(visitor, token), accept(visitor, token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    expect(await rolesIn(owner)).toEqual({ [owner.id]: "owner", [invited.id]: "purchaser" });
  });

  test("two owners who remove each other leave one", async () => {
    const one = await createUser();
    const two = await createColleague(one, "owner");
    const [first, second] = [await signedInAs(one), await signedInAs(two)];
    await Promise.all([remove(first, two), remove(second, one)]);
    expect(Object.values(await rolesIn(one))).toEqual(["owner"]);
  });

  test("two owners who both leave leave one", async () => {
    const one = await createUser();
    const two = await createColleague(one, "owner");
    await Promise.all([remove(await signedInAs(one), one), remove(await signedInAs(two), two)]);
    expect(Object.values(await rolesIn(one))).toEqual(["owner"]);
  });

  test("[PUR-10] an order and the removal of the person who places it end in an order of a member, or in none", async () => {
    const owner = await createUser();
    const buyer = await purchaserAtInvoice(owner);
    const fields = await buyer.invoiceFields();
    const [answer] = await Promise.all([buyer.invoice(fields), remove(await signedInAs(owner), buyer.user)]);
    const orders = await ordersOf(owner);
    expect(orders).toHaveLength((answer.headers.get("Location") ?? "").includes("order-complete") ? 1 : 0);
    const { companyId } = await getDb()
      .selectFrom("users")
      .select("companyId")
      .where("id", "=", buyer.user.id)
      .executeTakeFirstOrThrow();
    expect(await ordersOf({ companyId })).toEqual([]);
  });
});

/** Returns a new purchaser of the owner's company at the last step of an order. */
async function purchaserAtInvoice(owner: { companyId: number }): Promise<Buyer> {
  const user = await createColleague(owner, "purchaser");
  const visitor = await signedInAs(user);
  return new Buyer(user, visitor, await startPurchase(visitor)).upToInvoice(makeCsr().pem);
}

describe("a removed member", () => {
  test("does not come back with the invitation that was used", async () => {
    const [owner, member] = [await createUser(), await createUser()];
    const token = await invite(owner, member.email);
    const visitor = await signedInAs(member);
    expect((await accept(visitor, token)).status).toBe(303);
    await remove(await signedInAs(owner), member);
    const { refusal } = await jsonOf<{ refusal: string }>(await accept(visitor, token));
    expect(refusal).toBe("This invitation was used, was withdrawn or has ended. Ask for a new one.");
    expect(await rolesIn(owner)).toEqual({ [owner.id]: "owner" });
  });

  test("[USR-01] changes the own name and password and ends the own sessions, without a company; a newcomer enters one first", async () => {
    const owner = await createUser();
    const member = await createColleague(owner, "technical", { detailsMissing: true });
    const [visitor, elsewhere] = [await signedInAs(member), await signedInAs(member)];
    const program = await apiClientOf(member.email, TEST_PASSWORD);
    await remove(await signedInAs(owner), member);
    const refused = await program.get("certificates/getcertificates");
    expect(refused).toMatchObject({ status: 403, code: "company.changed" });
    expect(JSON.stringify(refused)).toContain("its account does not work for that company now");
    const start = await openPage(completion, visitor, "/complete-registration");
    expect(select(start.html, `main a[href="${paths.userManagement}"], main a[href="${paths.sessions}"]`).length).toBe(
      2,
    );
    const { html } = await openPage(userDetails, visitor, paths.userManagement);
    expect(select(html, 'input[name^="companyAddress"], input[name="companyRegistrationNumber"]').length).toBe(0);
    expect(select(html, 'main a[href="/home/dashboard"]').text()).toContain("enter the details of your company");
    const saved = await save(visitor, { lastName: "Newname" });
    expect(saved.headers.get("Location")).toBe("/complete-registration");
    const password = "a new password 22";
    visitor.follow(await save(visitor, { currentPassword: TEST_PASSWORD, password, confirmPassword: password }));
    expect((await run(sessionsPage.loader, elsewhere.get(paths.sessions))).status).toBe(302);
    expect(textsOf((await openPage(sessionsPage, visitor, paths.sessions)).html, "tbody tr").length).toBe(1);
    const row = await getDb().selectFrom("users").selectAll().where("id", "=", member.id).executeTakeFirstOrThrow();
    expect([row.lastName, row.companyId === owner.companyId]).toEqual(["Newname", false]);
    const newcomer = await signedInAs(await createUser({ detailsMissing: true }));
    for (const [page, path] of [
      [userDetails, paths.userManagement],
      [sessionsPage, paths.sessions],
    ] as const)
      expect((await run(page.loader, newcomer.get(path))).headers.get("Location")).toMatch(
        /^\/complete-registration\?/,
      );
  });

  test("[PUR-01] neither opens nor orders a draft that was begun for the company, in the address", async () => {
    const owner = await createUser();
    const buyer = await purchaserAtInvoice(owner);
    const fields = await buyer.invoiceFields();
    await remove(await signedInAs(owner), buyer.user);
    for (const page of [buyer.contactPage, buyer.orderPage, buyer.invoicePage])
      expect((await page()).headers.get("Location")).not.toContain(buyer.draft);
    expect((await buyer.invoice(fields)).headers.get("Location")).not.toContain(buyer.draft);
    expect([...(await ordersOf(owner)), ...(await ordersOf(buyer.user))]).toEqual([]);
    const row = await getDb().selectFrom("drafts").selectAll().where("id", "=", buyer.draft).executeTakeFirst();
    expect(row).toMatchObject({ orderId: null, companyId: owner.companyId });
  });

  test("[REN-01] does not leave behind the renewal that was handed over: a page that was open says why", async () => {
    const owner = await createUser();
    const technical = await createColleague(owner, "technical");
    const original = await issueEnding(60, { customer: owner, csr: makeCsr().der });
    const preparer = await (await startRenewing(technical, original)).upToInvoice(makeCsr().pem);
    await preparer.invoice();
    const visitor = await signedInAs(owner);
    const open = new Buyer(owner, visitor, preparer.draft, "renew");
    const fields = await open.invoiceFields();
    const before = await ordersOf(owner);
    await remove(visitor, technical);
    expect((await preparer.invoicePage()).headers.get("Location")).not.toContain(preparer.draft);
    const answer = await open.invoice(fields);
    expect(answer.headers.get("Location")).toBe(paths.certificates);
    visitor.follow(answer);
    expect(await toastOf(visitor)).toBe(
      `The prepared renewal of ${original.commonName} has ended, and nothing was ordered: Bernd The technical, who had prepared it, is no longer a member of ${owner.company}. Please renew the certificate with a new CSR.`,
    );
    expect(await ordersOf(owner)).toEqual(before);
  });

  test("[REN-01] and the hand-over of a renewal at the same time leave no prepared renewal", async () => {
    const owner = await createUser();
    const technical = await createColleague(owner, "technical");
    const original = await issueEnding(60, { customer: owner, csr: makeCsr().der });
    const preparer = await (await startRenewing(technical, original)).upToInvoice(makeCsr().pem);
    const fields = await preparer.invoiceFields();
    await Promise.all([preparer.invoice(fields), remove(await signedInAs(owner), technical)]);
    const waiting = getDb().selectFrom("drafts").select("id").where("handedOverAt", "is not", null);
    expect(await waiting.where("companyId", "=", owner.companyId).execute()).toEqual([]);
  });
});

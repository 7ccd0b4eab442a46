import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as invitationPage from "~/routes/_public.invitation.$token";
import * as companyChoice from "~/routes/company-choice";
import * as orderPage from "~/routes/home.certificate-queue.$id/route";
import * as companyPage from "~/routes/home.company/route";
import * as memberPage from "~/routes/home.company_.$id";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";
import { paramsOf, refusalOf } from "../support/administration";
import { createCertificateOrder } from "../support/certificates";
import { checkForm } from "../support/check-forms";
import { createColleague, invite, rolesIn } from "../support/companies";
import { createSeveral, logInAs, merge } from "../support/consolidation";
import { createStaff, createUser } from "../support/factories";
import { pageText, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { clientFrom, forgetSecurityEvents, securityEvents } from "../support/security-events";
import { customer as customerWithDetails, save } from "../support/user-details";
import { run, signedInAs, type Visitor, jsonOf } from "../support/visitor";

usePortal({}, "strict");
beforeEach(forgetSecurityEvents);

type Account = Awaited<ReturnType<typeof createUser>>;

let [one, two]: Account[] = [];
let first: Visitor;
let second: Visitor;

beforeAll(async () => {
  one = await createStaff(["user-administrator"], { firstName: "Rita", lastName: "Lang" });
  two = await createStaff(["user-administrator"], { firstName: "Bea", lastName: "Kurz" });
  [first, second] = await Promise.all([signedInAs(one), signedInAs(two)]);
});

const rightsOf = async ({ id }: { id: number }) =>
  (await getDb().selectFrom("userRights").select("right").where("userId", "=", id).execute()).map(({ right }) => right);

const requestOf = async ({ id }: { id: number }) =>
  String(
    (
      await getDb()
        .selectFrom("dualControlRequests")
        .select("id")
        .where("userId", "=", id)
        .where("outcome", "is", null)
        .executeTakeFirstOrThrow()
    ).id,
  );

/** Returns what the security events say about refused access, with who was refused. */
const refusedEvents = async () =>
  (await securityEvents())
    .filter(({ event }) => event === "access.refused")
    .map(({ userId, detail }) => ({ userId, detail }));

const giveRight = ({ id }: { id: number }, right: StaffRight) =>
  getDb().insertInto("userRights").values({ userId: id, right, grantedAt: new Date(), grantedBy: "tests" }).execute();

let last = 0;
/** Returns the client headers of an address that no other request has, because events of one address are counted together. */
const fromElsewhere = () => clientFrom(`198.51.100.${(last += 1)}`);

const check = async (visitor: Visitor, id: number) => {
  const fields = checkForm({ csr: "Seen" });
  const request = await visitor.post(`/home/certificate-queue/${id}`, fields, fromElsewhere());
  return run(orderPage.action, request, { id: String(id) });
};

/** Presses a button on an account's page. */
const administer = async (visitor: Visitor, user: { id: number }, fields: Record<string, string>) =>
  run(userPage.action, await visitor.post(`/home/users/${user.id}`, fields, fromElsewhere()), paramsOf(user));

/** Presses the button and answers the question with Yes. */
const confirmed = (visitor: Visitor, user: { id: number }, fields: Record<string, string>) =>
  administer(visitor, user, { ...fields, confirmed: "yes" });

describe("whoever is called otherwise now remains the same person", () => {
  let count = 0;
  /** Orders as a customer with this name. Returns the order, with a member of staff who has the name too. */
  async function namesakes() {
    count += 1;
    const named = { firstName: "Mia", lastName: `Berg ${count}`, company: `Bergwerk ${count}`, isApplicant: true };
    const buyer = await customerWithDetails({ ...named, companyRegistrationNumber: `HRB ${count}` });
    const staff = await createStaff(["registration-officer"], { firstName: "Mia", lastName: named.lastName });
    return { buyer, order: await createCertificateOrder(buyer.user), staff, officer: await signedInAs(staff) };
  }

  test("after staff change their own name on User Details", async () => {
    const { order, staff, officer } = await namesakes();
    const before = await refusalOf(await check(officer, order.id));
    expect(before).toContain("Another account of the same person prepared or placed this order");
    await updateUser(getDb(), staff.id, { companyRegistrationNumber: null });
    expect((await save(officer, { firstName: "Maria" })).status).toBe(303);
    expect(await refusalOf(await check(officer, order.id))).toBe(before);
    expect((await save(officer, { lastName: "Other" })).status).toBe(303);
    expect(await refusalOf(await check(officer, order.id))).toBe(before);
    const detail = "Another account of the same person prepared or placed the order (four-eyes principle).";
    expect(await refusedEvents()).toEqual(Array(3).fill({ userId: staff.id, detail }));
  });

  test("after the customer's account is renamed", async () => {
    const { buyer, order, officer } = await namesakes();
    expect((await save(buyer.visitor, { firstName: "Zoe", lastName: "Quill" })).status).toBe(303);
    expect(await refusalOf(await check(officer, order.id))).toContain("Another account of the same person");
  });

  test("after an email address is changed", async () => {
    const { buyer, order } = await namesakes();
    const shared = buyer.user.email;
    const officer = await signedInAs(
      await createStaff(["registration-officer"], { firstName: "Else", email: shared, username: "else" }),
    );
    await updateUser(getDb(), buyer.user.id, { email: "moved@example-parts.com" });
    expect(await refusalOf(await check(officer, order.id))).toContain("Another account of the same person");
  });

  test.each([
    ["name", (n: number) => ({ company: ` BERGWERK ${n}` }), { company: "New Name Ltd" }],
    [
      "registration number",
      (n: number) => ({ companyRegistrationNumber: `hrb ${n}` }),
      { companyRegistrationNumber: "1" },
    ],
  ])("after the %s of the company that ordered is changed", async (_, given, change) => {
    const { buyer, order } = await namesakes();
    const staff = await createStaff(["registration-officer"], { firstName: "Carl", ...given(count) });
    const officer = await signedInAs(staff);
    const barrier = "Your account is of the company that ordered";
    expect(await refusalOf(await check(officer, order.id))).toContain(barrier);
    await updateUser(getDb(), buyer.user.id, change);
    expect(await refusalOf(await check(officer, order.id))).toContain(barrier);
    await updateUser(getDb(), staff.id, { company: "Elsewhere", companyRegistrationNumber: null });
    expect(await refusalOf(await check(officer, order.id))).toContain(barrier);
  });

  test("after leaving the company that ordered", async () => {
    const { buyer, order } = await namesakes();
    const colleague = await createColleague(buyer.user, "reader", {
      firstName: "Lea",
      company: "Lea's own",
      companyRegistrationNumber: null,
    });
    const visitor = await signedInAs(colleague);
    const left = await visitor.post(`/home/company/${colleague.id}`, { intent: "remove", confirmed: "yes" });
    expect((await run(memberPage.action, left, paramsOf(colleague))).status).toBe(303);
    await updateUser(getDb(), colleague.id, { isApplicant: false });
    await giveRight(colleague, "registration-officer");
    expect(await refusalOf(await check(visitor, order.id))).toContain("Your account is of the company that ordered");
  });

  test("a user administrator who was called like another one does not decide that one's request", async () => {
    const twin = await createStaff(["user-administrator"], { firstName: "rita", lastName: "LANG" });
    const user = await createStaff([], { firstName: "Dora" });
    const visitor = await signedInAs(twin);
    expect((await confirmed(visitor, user, { intent: "grant-approver" })).status).toBe(303);
    expect((await save(visitor, { firstName: "Zoe", lastName: "Quill" })).status).toBe(303);
    const answer = await confirmed(first, user, { intent: "approve-request", request: await requestOf(user) });
    const reason = "Nobody decides their own request: another user administrator decides it.";
    expect(await refusalOf(answer)).toBe(reason);
    expect(await rightsOf(user)).toEqual([]);
    expect(await refusedEvents()).toEqual([{ userId: one?.id, detail: reason }]);
  });
});

describe("another account of a user administrator", () => {
  test("gets no right of staff from them, and they do not decide about it", async () => {
    const own = await createUser({ firstName: "Rita", lastName: "Lang" });
    for (const right of ["finance", "registration-officer", "user-administrator"])
      expect(await refusalOf(await confirmed(first, own, { intent: `grant-${right}` }))).toContain(
        "The account has a name or an email address that the user administrator has or had",
      );
    expect(await rightsOf(own)).toEqual([]);
    expect((await refusedEvents()).map(({ userId }) => userId)).toEqual([one?.id, one?.id, one?.id]);
    expect((await confirmed(second, own, { intent: "grant-user-administrator" })).status).toBe(303);
    const answer = await confirmed(first, own, { intent: "approve-request", request: await requestOf(own) });
    expect(await refusalOf(answer)).toContain("The request is about another account");
    expect(await rightsOf(own)).toEqual([]);
  });

  test("the own account gets none either, which is an event", async () => {
    const reason = "Nobody grants a right of staff to their own account.";
    expect(await refusalOf(await confirmed(first, one as Account, { intent: "grant-finance" }))).toBe(reason);
    expect(await refusedEvents()).toEqual([{ userId: one?.id, detail: reason }]);
  });
});

test("nobody logs in as a member of staff, which is an event", async () => {
  const staff = await createStaff(["finance"], { firstName: "Dana" });
  const reason = "Nobody can log in as a member of staff.";
  expect(await refusalOf(await administer(first, staff, { intent: "log-in-as" }))).toBe(reason);
  expect(await refusedEvents()).toEqual([{ userId: one?.id, detail: reason }]);
});

test("the page names several rights in one list", async () => {
  const user = await createStaff(["finance", "auditor"], { firstName: "Dora", isApplicant: true });
  const { html } = await openPage(userPage, first, `/home/users/${user.id}`, { params: paramsOf(user) });
  expect(pageText(html)).toContain("The account has the rights Applicant, Finance and Auditor.");
});

describe("a request", () => {
  test("is decided on the page of its account only, after a question", async () => {
    const user = await createStaff([], { firstName: "Dora" });
    const other = await createStaff([], { firstName: "Emil" });
    await confirmed(first, user, { intent: "grant-approver" });
    const request = await requestOf(user);
    for (const intent of ["approve-request", "refuse-request"])
      expect((await confirmed(second, other, { intent, request })).status).toBe(404);
    const path = `/home/users/${user.id}`;
    const { html } = await openPage(userPage, second, path, {
      params: paramsOf(user),
      fields: { intent: "approve-request", request },
    });
    expect(pageText(html)).toContain(
      "Are you sure you wish to approve the request to grant the right Approver? It takes effect at once.",
    );
    expect([valueOf(html, "intent"), valueOf(html, "request")]).toEqual(["approve-request", request]);
    expect(await rightsOf(user)).toEqual([]);
    const back = await administer(second, user, { intent: "approve-request", request, back: "yes" });
    expect([back.status, await rightsOf(user)]).toEqual([303, []]);
    expect((await confirmed(second, user, { intent: "approve-request", request })).status).toBe(303);
    expect(await rightsOf(user)).toEqual(["approver"]);
  });
});

describe("staff belong to no customer company", () => {
  const MEMBER_OF = /^The account is a member of .*, a customer: .* The person leaves the company first/;

  test.each([
    ["has ordered", async (user: Account) => void (await createCertificateOrder(user))],
    ["has other members", async (user: Account) => void (await createColleague(user, "reader"))],
  ])(
    "the owner of a company that %s gets no right of staff, and the page says what must happen first",
    async (_, act) => {
      const user = await createUser({ firstName: "Carl" });
      await act(user);
      expect(await refusalOf(await confirmed(first, user, { intent: "grant-finance" }))).toMatch(MEMBER_OF);
      expect(await refusalOf(await confirmed(first, user, { intent: "grant-approver" }))).toMatch(MEMBER_OF);
      expect(await rightsOf(user)).toEqual([]);
      const { html } = await openPage(userPage, first, `/home/users/${user.id}`, { params: paramsOf(user) });
      expect(pageText(html)).toContain("The person leaves the company first, or gets the right with another account.");
    },
  );

  test("an order between the request and its approval counts", async () => {
    const user = await createUser({ firstName: "Carl" });
    await confirmed(first, user, { intent: "grant-approver" });
    await createCertificateOrder(user);
    const answer = await confirmed(second, user, { intent: "approve-request", request: await requestOf(user) });
    expect(await refusalOf(answer)).toMatch(MEMBER_OF);
    expect(await rightsOf(user)).toEqual([]);
  });

  test("staff neither accept an invitation nor invite", async () => {
    const owner = await createUser();
    const staff = await createStaff(["finance"], { firstName: "Fay" });
    const visitor = await signedInAs(staff);
    const token = await invite(owner, staff.email);
    const offered = await jsonOf<{ barrier: string | null }>(
      await run(invitationPage.loader, visitor.get(`/invitation/${token}`), { token }),
    );
    expect(offered.barrier).toContain("Staff join a company with another account");
    const answer = await run(invitationPage.action, await visitor.post(`/invitation/${token}`, {}, fromElsewhere()), {
      token,
    });
    expect(await answer.text()).toContain("A member of staff and a customer cannot work in one company");
    expect(await rolesIn(owner)).toEqual({ [owner.id]: "owner" });
    expect((await refusedEvents()).map(({ userId }) => userId)).toEqual([staff.id]);
    const sent = await run(
      companyPage.action,
      await visitor.post("/home/company", { email: "a@b.example", role: "reader" }),
    );
    expect(await refusalOf(sent)).toContain("A member of staff and a customer cannot work in one company");
  });

  test("staff do not choose to work in a customer company", async () => {
    const owner = await createUser();
    const staff = await createColleague(owner, "reader", { firstName: "Fay" });
    const own = await getDb()
      .selectFrom("memberships")
      .select("companyId")
      .where("userId", "=", staff.id)
      .orderBy("companyId")
      .execute();
    const home = own.find(({ companyId }) => companyId !== owner.companyId)?.companyId as number;
    await giveRight(staff, "finance");
    const visitor = await signedInAs(staff);
    const choose = async (company: number) => {
      const request = await visitor.post("/company-choice", { company: String(company) }, fromElsewhere());
      visitor.follow(await run(companyChoice.action, request));
      return toastOf(visitor);
    };
    expect(await choose(home)).toMatch(/^You work for/);
    expect(await choose(owner.companyId)).toContain("is a customer, and staff work for no customer");
    expect((await refusedEvents()).map(({ userId }) => userId)).toEqual([staff.id]);
  });

  test("staff do not take over a customer by a merge", async () => {
    const [keeper, other] = await createSeveral({ firstName: "Mo" }, { firstName: "Mo" });
    await createCertificateOrder(other as Account);
    await giveRight(keeper, "finance");
    const answer = await merge((await logInAs(keeper.username)).visitor);
    expect(await refusalOf(answer)).toContain("This account has a right of staff, and staff belong to no customer");
  });
});

test("a right of staff needs a confirmed email address", async () => {
  const user = await createUser({ emailVerifiedAt: null });
  const fields = { intent: "grant-registration-officer", confirmed: "yes" };
  const grant = async () => run(userPage.action, await first.post(`/home/users/${user.id}`, fields), paramsOf(user));
  expect(await refusalOf(await grant())).toContain("The email address of the account is not confirmed");
  expect(await rightsOf(user)).toEqual([]);
  await updateUser(getDb(), user.id, { emailVerifiedAt: new Date() });
  expect((await grant()).status).toBe(303);
});

test("the refused decision about a request whose requester has lost the right is a security event", async () => {
  const requester = await createStaff(["user-administrator"], { firstName: "Gone" });
  const asking = await signedInAs(requester);
  const user = await createStaff([], { firstName: "Wanted" });
  const post = async (visitor: Visitor, fields: Record<string, string>) =>
    run(userPage.action, await visitor.post(`/home/users/${user.id}`, { ...fields, confirmed: "yes" }), paramsOf(user));
  await post(asking, { intent: "grant-approver" });
  const request = await requestOf(user);
  await getDb().deleteFrom("userRights").where("userId", "=", requester.id).execute();
  await forgetSecurityEvents();
  expect(await refusalOf(await post(second, { intent: "approve-request", request }))).toContain("no longer");
  expect(await refusedEvents()).toEqual([
    { userId: two?.id, detail: "Whoever made this request is no longer a user administrator." },
  ]);
});

import { describe, expect, test } from "vitest";
import { type Shell } from "~/domain/shell";
import { loadShell } from "~/http/shell.server";
import * as complete from "~/routes/_public.complete-registration";
import * as invitationPage from "~/routes/_public.invitation.$token";
import * as register from "~/routes/_public.register/route";
import * as choice from "~/routes/company-choice";
import * as companyPage from "~/routes/home.companies.$id/route";
import * as memberPage from "~/routes/home.company_.$id";
import * as userDetails from "~/routes/home.user-management/route";
import * as userPage from "~/routes/home.users.$id/route";
import { getDb } from "~db/connection.server";
import { findUserById } from "~db/repositories/users.server";
import { auditAbout } from "../support/administration";
import { apiClientOf } from "../support/api";
import { issueCertificate } from "../support/certificates";
import { createColleague, invite, personOf, rolesIn } from "../support/companies";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { filledRegistration } from "../support/registration";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

const COMPLETE = "/complete-registration";
const US = "840";

const details = (change: Record<string, string> = {}) => ({
  companyRegistrationNumber: "HRB 12345",
  "companyAddress.addressLine1": "1 Mill Lane",
  "companyAddress.city": "Boston",
  "companyAddress.postalCode": "02110",
  "companyAddress.country": US,
  useCompanyAddress: "on",
  ...change,
});

const remove = async (visitor: Visitor, { id }: { id: number }) =>
  run(memberPage.action, await visitor.post(`/home/company/${id}`, { intent: "remove", confirmed: "yes" }), {
    id: String(id),
  });

/** Creates a company with its owner, and a colleague who has registered with an invitation and has no other company. */
async function createInvited(email: string) {
  const owner = await createUser({ company: "Example Gears Ltd" });
  const fields = filledRegistration({
    email,
    confirmEmail: email,
    password: TEST_PASSWORD,
    confirmPassword: TEST_PASSWORD,
  });
  const visitor = await anonymous();
  const address = `/register?invitation=${await invite(owner, email)}`;
  visitor.follow(await run(register.action, await visitor.post(address, { ...fields, firstName: "Greta" })));
  const { id } = await getDb().selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  return { owner, ownerVisitor: await signedInAs(owner), member: { id, email }, visitor };
}

describe("somebody who was removed from their only company", () => {
  test("[CRD-01] names the new company once, together with its details", async () => {
    const { ownerVisitor, member, visitor } = await createInvited("greta@example-gears.com");
    await remove(ownerVisitor, member);

    const { html } = await openPage(complete, visitor, COMPLETE);
    expect(pageText(html)).toContain("You are no longer a member of Example Gears Ltd.");
    expect(pageText(html)).toContain("Please enter the details of a company of your own below");
    expect(pageText(html)).not.toContain("correct or confirm");
    expect([valueOf(html, "company"), valueOf(html, "invoicingAddress.company")]).toEqual(["", ""]);
    expect(select(html, 'input[name="company"]').is("[required], [aria-required=true]")).toBe(true);
    const own = await openPage(userDetails, visitor, "/home/user-management");
    expect(pageText(own.html)).toContain("You name the company when you enter its details.");

    const send = async (fields: Record<string, string>) => run(complete.action, await visitor.post(COMPLETE, fields));
    const { status, errors } = await errorsOf(await send(details({ company: " " })));
    expect([status, errors]).toEqual([422, { company: "This field is required." }]);
    expect((await send(details({ company: "Greta Works Ltd" }))).status).toBe(303);
    expect(await findUserById(getDb(), member.id)).toMatchObject({
      company: "Greta Works Ltd",
      companyRegistrationNumber: "HRB 12345",
    });
    const address = await getDb().selectFrom("addresses").select("company").where("userId", "=", member.id).execute();
    expect(address).toEqual([{ company: "Greta Works Ltd" }, { company: "Greta Works Ltd" }]);
    expect((await auditAbout(member)).at(-1)).toMatchObject({
      event: "account.details-completed",
      message: "Completed the registration, and named the company Greta Works Ltd.",
    });
    const saved = await openPage(userDetails, visitor, "/home/user-management");
    expect(pageText(saved.html)).toContain("Only an administrator can change the company.");
  });

  test("reads once that they have left, on the page of the duty that leaving leads to", async () => {
    const { member, visitor } = await createInvited("gerda@example-gears.com");
    const answer = await remove(visitor, member);
    expect(answer.headers.get("Location")).toBe(COMPLETE);
    visitor.follow(answer);
    const { toast } = await jsonOf<Shell>(await loadShell(visitor.get(`${COMPLETE}?_data=root`)));
    expect(toast).toBeNull();
    const { html } = await openPage(complete, visitor, COMPLETE);
    expect(pageText(html)).toContain("You are no longer a member of Example Gears Ltd.");
  });

  test("[CRD-01] [API-03] names it with the call that completes a registration", async () => {
    const { ownerVisitor, member } = await createInvited("gustav@example-gears.com");
    await remove(ownerVisitor, member);
    const program = await apiClientOf(member.email, TEST_PASSWORD);
    const address = { street1: "1 Mill Lane", city: "Boston", postcode: "02110", countryId: 840 };
    const send = (change: object) =>
      program.post<{ success: boolean }>("UserRegistration/RegisterUserAdvancedDetails", {
        companyRegistrationNumber: "HRB 12345",
        companyAddress: address,
        ...change,
      });
    expect(await send({})).toMatchObject({ status: 422, errors: { company: "This field is required." } });
    expect((await send({ company: "Gustav Works Ltd" })).content.success).toBe(true);
    expect((await findUserById(getDb(), member.id))?.company).toBe("Gustav Works Ltd");
  });
});

describe("joining a company", () => {
  const headerOf = async (visitor: Visitor) =>
    (await jsonOf<Shell>(await loadShell(visitor.get("/home/dashboard")))).user?.companies;
  const accept = async (visitor: Visitor, token: string) =>
    run(invitationPage.action, await visitor.post(`/invitation/${token}`), { token });

  test("ends the empty company of somebody who comes back, whose page says so to staff", async () => {
    const { owner, ownerVisitor, member, visitor } = await createInvited("katrin@example-gears.com");
    await remove(ownerVisitor, member);
    const { companyId } = await personOf(member);
    await accept(visitor, await invite(owner, member.email));
    expect(await headerOf(visitor)).toEqual([]);
    expect(await rolesIn({ companyId })).toEqual({});
    const ended = getDb().selectFrom("companies").select("name").where("id", "=", companyId);
    expect(await ended.executeTakeFirst()).toEqual({ name: "Ended company" });
    expect((await auditAbout(member)).slice(-2)).toMatchObject([
      { event: "company.joined" },
      { event: "company.ended", reference: `CO-${companyId}` },
    ]);
    const staff = await signedInAs(await createAdmin());
    const page = { params: { id: String(companyId) } };
    const { html } = await openPage(companyPage, staff, `/home/companies/${companyId}`, page);
    expect(pageText(html)).toMatch(
      /This company ended on \d\d\/\d\d\/\d{4} [\d:]+ UTC ?\. It had no details and owned nothing, and its only member joined another company\./,
    );
  });

  test("keeps an own company that has details, or has ordered something, or has a colleague", async () => {
    const owner = await createUser();
    const [complete, ordering, shared] = [
      await createUser(),
      await createUser({ detailsMissing: true }),
      await createUser({ detailsMissing: true }),
    ];
    await issueCertificate({ customer: ordering, csr: makeCsr().der });
    await createColleague(shared, "reader");
    for (const person of [complete, ordering, shared]) {
      const visitor = await signedInAs(person);
      await accept(visitor, await invite(owner, person.email));
      expect(await headerOf(visitor)).toHaveLength(2);
    }
  });
});

describe("an own empty company of somebody who came back before joining ended it", () => {
  /** Somebody with an empty company and one with colleagues, as before the change. */
  async function createReturned(email: string) {
    const { owner, ownerVisitor, member, visitor } = await createInvited(email);
    await remove(ownerVisitor, member);
    const { companyId: empty } = await personOf(member);
    const membership = { companyId: owner.companyId, userId: member.id, role: "reader", joinedAt: new Date() } as const;
    await getDb().insertInto("memberships").values(membership).execute();
    return { owner, member, visitor, empty };
  }
  const workIn = (member: { id: number }, companyId: number) =>
    getDb().updateTable("users").set({ companyId }).where("id", "=", member.id).execute();
  const offered = async (visitor: Visitor) =>
    (await jsonOf<Shell>(await loadShell(visitor.get("/home/dashboard")))).user?.companies.map(({ id }) => id);

  test("is not offered in the header and by the call, and staff still see it", async () => {
    const { owner, member, visitor, empty } = await createReturned("rita@example-gears.com");
    await workIn(member, owner.companyId);
    expect(await offered(visitor)).toEqual([]);
    const program = await apiClientOf(member.email, TEST_PASSWORD);
    expect((await program.get("Companies/GetCompanies")).content).toMatchObject([{ id: owner.companyId }]);
    expect(await rolesIn({ companyId: empty })).toEqual({ [member.id]: "owner" });
    const staff = await signedInAs(await createAdmin());
    const { html } = await openPage(userPage, staff, `/home/users/${member.id}`, { params: { id: String(member.id) } });
    expect(select(html, `a[href="/home/companies/${empty}"]`)).toHaveLength(1);
  });

  test("is offered with the other one while the person works in it, and not any more after the other one was chosen", async () => {
    const { owner, visitor, empty } = await createReturned("rosa@example-gears.com");
    expect(await offered(visitor)).toEqual([empty, owner.companyId]);
    const answer = await run(
      choice.action,
      await visitor.post("/company-choice", { company: String(owner.companyId) }),
    );
    expect(answer.status).toBe(303);
    expect(await offered(visitor)).toEqual([]);
  });

  test("leads to its missing details when it is chosen all the same, with the message", async () => {
    const { owner, member, visitor, empty } = await createReturned("rike@example-gears.com");
    await workIn(member, owner.companyId);
    const answer = await run(choice.action, await visitor.post("/company-choice", { company: String(empty) }));
    expect(answer.headers.get("Location")).toBe(COMPLETE);
    visitor.follow(answer);
    const { toast } = await jsonOf<Shell>(await loadShell(visitor.get(`${COMPLETE}?_data=root`)));
    expect(toast?.text).toMatch(/^You work for .* now\.$/);
  });

  test("is not where the person works after leaving a third one", async () => {
    const { owner, member, empty } = await createReturned("ruth@example-gears.com");
    const third = await createUser();
    await getDb()
      .insertInto("memberships")
      .values({ companyId: third.companyId, userId: member.id, role: "reader", joinedAt: new Date() })
      .execute();
    await workIn(member, third.companyId);
    await remove(await signedInAs(third), member);
    expect((await personOf(member)).companyId).toBe(owner.companyId);
    expect(empty).not.toBe(owner.companyId);
  });
});

test("[CRD-01] an ordinary registration has named its company, whatever completes it", async () => {
  const user = await createUser({ detailsMissing: true, company: "Own Works Ltd" });
  const visitor = await signedInAs(user);
  const { html } = await openPage(complete, visitor, COMPLETE);
  expect(textsOf(html, "label")).toContain("Company registration number");
  expect(select(html, 'input[name="company"]')).toHaveLength(0);
  expect((await run(complete.action, await visitor.post(COMPLETE, details({ company: "Other Ltd" })))).status).toBe(
    303,
  );
  expect((await findUserById(getDb(), user.id))?.company).toBe("Own Works Ltd");

  const other = await createUser({ detailsMissing: true, company: "Own Works Ltd" });
  const program = await apiClientOf(other.email, TEST_PASSWORD);
  await program.post("UserRegistration/RegisterUserAdvancedDetails", {
    company: "Other Ltd",
    companyRegistrationNumber: "HRB 12345",
    companyAddress: { street1: "1 Mill Lane", city: "Boston", postcode: "02110", countryId: 840 },
  });
  expect(await findUserById(getDb(), other.id)).toMatchObject({
    company: "Own Works Ltd",
    companyRegistrationNumber: "HRB 12345",
  });
});

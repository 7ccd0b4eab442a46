import { describe, expect, test } from "vitest";
import { chooseCompany, listOwnCompanies } from "~/domain/companies/own-companies.service.server";
import { type Shell } from "~/domain/shell";
import { loadShell } from "~/http/shell.server";
import { paths } from "~/lib/paths";
import * as register from "~/routes/_public.register/route";
import * as companyChoice from "~/routes/company-choice";
import * as detailsPage from "~/routes/home.certificate-details.$id/route";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import * as certificatesPage from "~/routes/home.certificates";
import * as companyPage from "~/routes/home.company/route";
import * as memberPage from "~/routes/home.company_.$id";
import * as userDetails from "~/routes/home.user-management/route";
import { getDb } from "~db/connection.server";
import { findUserById } from "~db/repositories/users.server";
import { auditAbout } from "../support/administration";
import { apiClientOf } from "../support/api";
import { createCertificateOrder, issueCertificate } from "../support/certificates";
import { createColleague, invite, personOf, rolesIn } from "../support/companies";
import { createAdmin, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo, toastOf } from "../support/recovery";
import { filledRegistration } from "../support/registration";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

const PATH = "/home/company";

const onMember = async (visitor: Visitor, { id }: { id: number }, fields: Record<string, string>) =>
  run(memberPage.action, await visitor.post(`${PATH}/${id}`, fields), { id: String(id) });

const remove = (visitor: Visitor, member: { id: number }) =>
  onMember(visitor, member, { intent: "remove", confirmed: "yes" });

describe("the page of the company", () => {
  test("shows every member the colleagues, their roles and the details; only owners get buttons", async () => {
    const owner = await createUser({ company: "Example Gears Ltd" });
    const reader = await createColleague(owner, "reader");
    const { html } = await openPage(companyPage, await signedInAs(owner), PATH);
    expect(textsOf(html, "tbody th").map((text) => text.replace(/\s+/g, " "))).toEqual([
      `Anna Müller You ${owner.email}`,
      `Bernd The reader ${reader.email}`,
    ]);
    expect(pageText(html)).toContain("GB123456789");
    expect(select(html, 'input[name="email"]').length).toBe(1);
    const { html: seen } = await openPage(companyPage, await signedInAs(reader), PATH);
    expect(pageText(seen)).toContain("Example Gears Ltd");
    expect(pageText(seen)).toContain("Your role in it is Reader");
    expect(select(seen, 'input[name="email"]').length).toBe(0);
    expect(textsOf(seen, 'a[href^="/home/company/"]')).toEqual([
      "Domains",
      "Standing authorisations",
      "Leave the company",
    ]);
    expect(pageText(html)).not.toContain("Leave the company");
    expect(pageText(html)).toContain("You are the only owner.");
    const { html: own } = await openPage(memberPage, await signedInAs(owner), `${PATH}/${owner.id}`, {
      params: { id: String(owner.id) },
    });
    expect(textsOf(own, "button")).not.toContain("Leave the company");
  });

  test("certificates belong to the company: every member sees those that a colleague ordered", async () => {
    const owner = await createUser();
    const { commonName } = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const reader = await createColleague(owner, "reader");
    const { html } = await openPage(certificatesPage, await signedInAs(reader), "/home/certificates");
    expect(pageText(html)).toContain(commonName);
    const stranger = await openPage(certificatesPage, await signedInAs(await createUser()), "/home/certificates");
    expect(pageText(stranger.html)).not.toContain(commonName);
  });

  test("other members than owners change their own details, and the company's stay as they are", async () => {
    const owner = await createUser();
    const member = await createColleague(owner, "purchaser");
    const visitor = await signedInAs(member);
    const { html } = await openPage(userDetails, visitor, "/home/user-management");
    expect(select(html, 'input[name="vatNumber"]').length).toBe(0);
    const { values } = await jsonOf<{ values: { version: string } }>(
      await run(userDetails.loader, visitor.get("/home/user-management")),
    );
    const fields = { firstName: "Berta", lastName: "Boss", position: "CEO", telephoneNumber: "+44 20 7946 0001" };
    const sent = {
      ...fields,
      email: member.email,
      company: "Another Ltd",
      vatNumber: "DE999",
      version: values.version,
    };
    const answer = await run(
      userDetails.action,
      await visitor.post("/home/user-management", { ...sent, intent: "save" }),
    );
    visitor.follow(answer);
    expect(await toastOf(visitor)).toBe("User details successfully updated.");
    expect(await findUserById(getDb(), member.id)).toMatchObject({
      firstName: "Berta",
      position: "CEO",
      company: owner.company,
      vatNumber: "GB123456789",
    });
  });
});

/** Lets a browser follow an answer and returns it. */
function followed(visitor: Visitor, answer: Response): Promise<Visitor> {
  visitor.follow(answer);
  return Promise.resolve(visitor);
}

describe("members", () => {
  test("get another role from an owner, who tells them by mail", async () => {
    const owner = await createUser();
    const member = await createColleague(owner, "reader");
    await onMember(await signedInAs(owner), member, { role: "purchaser", intent: "role" });
    expect(await rolesIn(owner)).toMatchObject({ [member.id]: "purchaser" });
    expect((await mailsTo(member.email)).at(-1)?.text).toContain("is now Purchaser");
    expect((await auditAbout(member)).at(-1)).toMatchObject({ event: "company.role-changed", actorId: owner.id });
  });

  test("are not changed by others than owners", async () => {
    const owner = await createUser();
    const [purchaser, reader] = [await createColleague(owner, "purchaser"), await createColleague(owner, "reader")];
    const visitor = await signedInAs(purchaser);
    const attempts: Record<string, string>[] = [
      { role: "reader" },
      { intent: "remove", confirmed: "yes" },
      { intent: "hand-over", confirmed: "yes" },
    ];
    for (const fields of attempts)
      expect((await onMember(visitor, reader, { intent: "role", ...fields })).status).toBe(404);
    expect(await rolesIn(owner)).toEqual({ [owner.id]: "owner", [purchaser.id]: "purchaser", [reader.id]: "reader" });
  });

  test("of other companies are not found", async () => {
    const stranger = await createUser();
    expect((await remove(await signedInAs(await createUser()), stranger)).status).toBe(404);
    expect(await rolesIn(stranger)).toEqual({ [stranger.id]: "owner" });
  });

  test("leave; what they ordered stays, and they work in their own company from then on", async () => {
    const owner = await createUser();
    const member = await createColleague(owner, "purchaser", { company: "Own Works Ltd" });
    const { id } = await issueCertificate({ customer: member, csr: makeCsr().der });
    const visitor = await signedInAs(member);
    expect(await toastOf(await followed(visitor, await remove(visitor, member)))).toMatch(/^You have left/);
    expect(Object.keys(await rolesIn(owner))).toEqual([String(owner.id)]);
    expect((await personOf(member)).companyId).not.toBe(owner.companyId);
    const row = await getDb().selectFrom("certificates").select("companyId").where("id", "=", id).executeTakeFirst();
    expect(row).toEqual({ companyId: owner.companyId });
  });

  test("who are removed lose the company at once in sessions and programs, and get a new one when they have no other", async () => {
    const owner = await createUser();
    const email = "joins@example-gears.com";
    const token = await invite(owner, email, "technical");
    const fields = filledRegistration({ email, confirmEmail: email });
    const visitor = await anonymous();
    visitor.follow(await run(register.action, await visitor.post(`/register?invitation=${token}`, fields)));
    const { commonName } = await issueCertificate({ customer: owner, csr: makeCsr().der });
    const program = await apiClientOf(email, fields.password ?? "");
    expect(JSON.stringify(await program.get("certificates/getcertificates"))).toContain(commonName);
    const account = await getDb().selectFrom("users").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
    await remove(await signedInAs(owner), account);
    const page = await run(certificatesPage.loader, visitor.get("/home/certificates"));
    expect(page.headers.get("Location")).toMatch(/^\/complete-registration/);
    expect((await program.get("certificates/getcertificates")).status).toBe(403);
    const after = await personOf(account);
    expect(after).toMatchObject({ role: "owner", hasDetailsMissing: true });
    expect(after.companyId).not.toBe(owner.companyId);
    expect((await mailsTo(email)).at(-1)?.text).toContain("no longer a member");
  });

  test("hand the company over in one step", async () => {
    const owner = await createUser();
    const member = await createColleague(owner, "reader");
    await onMember(await signedInAs(owner), member, { intent: "hand-over", confirmed: "yes" });
    expect(await rolesIn(owner)).toEqual({ [owner.id]: "purchaser", [member.id]: "owner" });
  });
});

describe("what a company owns, when the person who ordered it works elsewhere", () => {
  test("[MAN-03] staff check the order against the company that ordered", async () => {
    const owner = await createUser({ company: "Example Gears Ltd", companyRegistrationNumber: "GEARS 1" });
    const orderer = await createColleague(owner, "purchaser", { company: "Own Works Ltd" });
    const { id } = await createCertificateOrder(orderer, makeCsr().der);
    const own = (await listOwnCompanies(orderer)).find(({ id: one }) => one !== owner.companyId);
    await chooseCompany(await personOf(orderer), own?.id ?? 0);
    const staff = await signedInAs(await createAdmin());
    const { html } = await openPage(queuePage, staff, `/home/certificate-queue/${id}`, { params: { id: String(id) } });
    expect(textsOf(html, '.compare td[data-l="Company"]')[0]).toBe("Example Gears Ltd");
    expect(pageText(html)).toContain("Company registration number GEARS 1");
  });

  test("[CER-08] messages go to the owner after the person has left, and to the person before", async () => {
    const owner = await createUser();
    const orderer = await createColleague(owner, "purchaser");
    const orders = [
      await createCertificateOrder(orderer, makeCsr().der),
      await createCertificateOrder(orderer, makeCsr().der),
    ] as const;
    const cancel = async ({ id, orderId }: { id: number; orderId: number }) => {
      const fields = { intent: "cancel", confirmed: "yes", decisionReason: "" };
      const visitor = await signedInAs(owner);
      await run(detailsPage.action, await visitor.post(paths.certificateDetails(id), fields), { id: String(id) });
      return `order-cancelled:${orderId}`;
    };
    const recipientOf = async (dedupeKey: string) =>
      (await getDb().selectFrom("mails").select("recipient").where("dedupeKey", "=", dedupeKey).executeTakeFirst())
        ?.recipient;
    expect(await recipientOf(await cancel(orders[0]))).toBe(orderer.email);
    await remove(await signedInAs(owner), orderer);
    expect(await recipientOf(await cancel(orders[1]))).toBe(owner.email);
  });
});

describe("a company of which a person is no member", () => {
  test("opens no session, even when it is stored as the one in which the person works", async () => {
    const [person, other] = [await createUser(), await createUser()];
    const visitor = await signedInAs(person);
    await getDb().updateTable("users").set({ companyId: other.companyId }).where("id", "=", person.id).execute();
    expect((await run(certificatesPage.loader, visitor.get("/home/certificates"))).status).toBe(302);
    await expect(personOf(person)).rejects.toThrow("There is no such person.");
  });

  test("is not the one of somebody who chooses it while being removed from it", async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await createUser();
      const person = await createColleague(owner, "reader");
      const [visitor, remover] = [await signedInAs(person), await signedInAs(owner)];
      const own = (await listOwnCompanies(person)).find(({ id }) => id !== owner.companyId);
      await chooseCompany(await personOf(person), own?.id ?? 0);
      const company = { company: String(owner.companyId) };
      await Promise.all([
        run(companyChoice.action, await visitor.post("/company-choice", company)),
        remove(remover, person),
      ]);
      expect((await personOf(person)).companyId).toBe(own?.id);
    }
  });
});

describe("the last owner", () => {
  const LAST = "A company needs an owner. Make somebody else an owner first.";

  test("reads on the pages of the company and of the member what must happen before they can leave", async () => {
    const owner = await createUser();
    const visitor = await signedInAs(owner);
    const texts = async () => [
      pageText((await openPage(companyPage, visitor, PATH)).html),
      pageText((await openPage(memberPage, visitor, `${PATH}/${owner.id}`, { params: { id: String(owner.id) } })).html),
    ];
    const alone =
      "You are the only member. Before you leave the company, invite somebody and make them an owner. If you need your account no longer, you can erase your data";
    for (const text of await texts()) expect(text).toContain(alone);
    await createColleague(owner, "purchaser");
    for (const text of await texts()) {
      expect(text).not.toContain(alone);
      expect(text).toContain("You are the only owner. Make somebody else an owner before you leave the company.");
    }
  });

  test("neither leaves nor gives up the role; a disabled owner does not count", async () => {
    const owner = await createUser();
    await createColleague(owner, "purchaser");
    await createColleague(owner, "owner", { isDisabled: true });
    const visitor = await signedInAs(owner);
    expect(await toastOf(await followed(visitor, await remove(visitor, owner)))).toBe(LAST);
    expect((await errorsOf(await onMember(visitor, owner, { intent: "role", role: "reader" }))).errors.form).toBe(LAST);
    expect(await rolesIn(owner)).toMatchObject({ [owner.id]: "owner" });
  });
});

describe("a person in two companies", () => {
  test("chooses one in the header; the choice is recorded, and companies of others cannot be chosen", async () => {
    const owner = await createUser({ company: "Example Gears Ltd" });
    const person = await createColleague(owner, "reader", { company: "Own Works Ltd" });
    const visitor = await signedInAs(person);
    const { user } = await jsonOf<Shell>(await loadShell(visitor.get("/home/dashboard")));
    const [own] = user?.companies.filter(({ isCurrent }) => !isCurrent) ?? [];
    expect(own?.name).toBe("Own Works Ltd");
    expect(user?.companies.find(({ isCurrent }) => isCurrent)?.name).toBe("Example Gears Ltd");
    const choose = async (company: number | undefined) =>
      run(companyChoice.action, await visitor.post("/company-choice", { company: String(company) }));
    expect(await toastOf(await followed(visitor, await choose(own?.id)))).toBe("You work for Own Works Ltd now.");
    expect(await personOf(person)).toMatchObject({ company: "Own Works Ltd", role: "owner" });
    const stranger = await createUser();
    expect(await toastOf(await followed(visitor, await choose(stranger.companyId)))).toBe(
      "You are not a member of this company.",
    );
    expect((await auditAbout(person)).at(-1)).toMatchObject({ event: "company.chosen" });
    const name = `Example Gears Ltd (number ${owner.companyId})`;
    await getDb()
      .updateTable("companies")
      .set({ name: "Example Gears Ltd" })
      .where("id", "=", own?.id ?? 0)
      .execute();
    const { user: twice } = await jsonOf<Shell>(await loadShell(visitor.get("/home/dashboard")));
    expect(twice?.companies.map((one) => one.name)).toContain(name);
    expect(await toastOf(await followed(visitor, await choose(owner.companyId)))).toBe(`You work for ${name} now.`);
    const alone = await jsonOf<Shell>(await loadShell((await signedInAs(owner)).get("/home/dashboard")));
    expect(alone.user?.companies).toEqual([]);
  });
});

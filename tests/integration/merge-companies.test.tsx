import { describe, expect, test } from "vitest";
import { findUser } from "~/http/guard.server";
import * as page from "~/routes/_public.consolidate-users/route";
import * as invitationPage from "~/routes/_public.invitation.$token";
import * as companyPage from "~/routes/home.companies.$id/route";
import * as companiesPage from "~/routes/home.companies._index";
import * as dataPage from "~/routes/home.personal-data";
import { getDb } from "~db/connection.server";
import { saveAddress } from "~db/repositories/addresses.server";
import { findCompany, updateCompany } from "~db/repositories/companies.server";
import { listCountries } from "~db/repositories/countries.server";
import { issueCertificate, readCertificate } from "../support/certificates";
import { createColleague, invite, rolesIn } from "../support/companies";
import {
  type Account,
  auditOf,
  consolidation,
  createSeveral,
  merge,
  readUser,
  send,
  untouched,
} from "../support/consolidation";
import { createStaff, createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { errorsOf, jsonOf, run, signedInAs } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

const PAGE = "/consolidate-users";
const COMPANY_DETAILS = [
  "company",
  "companyRegistrationNumber",
  "taxNumber",
  "companyAddress",
  "invoicing",
  "mailingAddress",
];

/** Two accounts of one person, whose companies have other names and numbers. */
const twoCompanies = async () =>
  (await createSeveral(
    { company: "Bauer GmbH", companyRegistrationNumber: "HRB 1", position: "Buyer" },
    { company: "Takeover GmbH", companyRegistrationNumber: "HRB 2", position: "Director" },
  )) as [Account, Account];

const storedCompany = ({ companyId }: { companyId: number }) => findCompany(getDb(), companyId);

const entriesAbout = async ({ companyId }: { companyId: number }) => {
  const entries = getDb().selectFrom("auditEntries").select(["event", "message"]);
  const found = await entries.where("reference", "=", `CO-${companyId}`).orderBy("id").execute();
  return found.map(({ event, message }) => `${event}: ${message}`);
};

const named = async (names: readonly string[], account: Account) =>
  (await consolidation(await signedInAs(account))).details.filter(({ name }) => names.includes(name));

describe("a merge of accounts of which one works in a company with colleagues", () => {
  test("[CON-03] leaves that company and what it owns as they are; the remaining account becomes its member", async () => {
    const [survivor, closed] = await twoCompanies();
    const colleague = await createColleague(closed, "owner");
    const { id } = await issueCertificate({ customer: closed, csr: makeCsr().der });
    const before = await storedCompany(closed);
    await merge(await signedInAs(survivor));
    expect(await rolesIn(closed)).toEqual({ [survivor.id]: "owner", [colleague.id]: "owner" });
    expect((await readCertificate(id)).companyId).toBe(closed.companyId);
    expect(await storedCompany(closed)).toMatchObject({
      name: before?.name,
      companyAddressId: before?.companyAddressId,
    });
    expect(await readUser(survivor.id)).toMatchObject({ companyId: survivor.companyId, company: "Bauer GmbH" });
  });

  test("[CON-03] does not give what was one person's alone to the colleagues of the remaining account", async () => {
    const [survivor, closed] = await twoCompanies();
    await createColleague(survivor, "purchaser");
    const { id } = await issueCertificate({ customer: closed, csr: makeCsr().der });
    await merge(await signedInAs(survivor));
    const { companyId } = await readCertificate(id);
    expect(companyId).toBe(closed.companyId);
    expect(await rolesIn(closed)).toEqual({ [survivor.id]: "owner" });
  });

  test("[CON-01] asks nothing about the companies, and says on both pages that both stay, and why", async () => {
    const [survivor, closed] = await twoCompanies();
    await createColleague(survivor, "owner", { firstName: "Katrin" });
    const visitor = await signedInAs(survivor);
    const { html } = await openPage(page, visitor, PAGE);
    const told = [
      "Bauer GmbH It stays as it is. It keeps its details and what it owns. Your role in it stays Owner.",
      "Takeover GmbH It stays a company of its own, because your colleagues in Bauer GmbH are not to see what is yours alone. It keeps its details and what it owns. After the merge, your role in it is Owner.",
    ];
    for (const text of told) expect(pageText(html)).toContain(text);
    expect(select(html, 'input[type="radio"]').serializeArray()).toEqual([
      { name: "position", value: String(survivor.id) },
    ]);
    expect(pageText(html)).not.toContain("HRB 2");
    const { confirmed: _, ...shown } = untouched(await consolidation(visitor));
    const fields = { ...shown, position: String(closed.id) };
    const asked = await openPage(page, visitor, PAGE, { fields });
    for (const text of told) expect(pageText(asked.html)).toContain(text);
    expect(pageText(asked.html)).toContain("Company Bauer GmbH");
  });

  test("[CON-01] says of the company with colleagues that it stays, and the role there", async () => {
    const [survivor, closed] = await twoCompanies();
    await createColleague(closed, "owner");
    const inRole = getDb().updateTable("memberships").set({ role: "purchaser" }).where("userId", "=", closed.id);
    await inRole.execute();
    const visitor = await signedInAs(survivor);
    const text = pageText((await openPage(page, visitor, PAGE)).html);
    expect(text).toContain(
      "Takeover GmbH It stays a company of its own, because you have colleagues in it. It keeps its details and what it owns. After the merge, your role in it is Purchaser.",
    );
    await merge(visitor);
    expect(await rolesIn(closed)).toMatchObject({ [survivor.id]: "purchaser" });
  });

  test("[CON-01] [CON-03] says that a role is higher than before, in a company to which both accounts belong", async () => {
    const [survivor, closed] = await twoCompanies();
    await getDb()
      .insertInto("memberships")
      .values({ companyId: closed.companyId, userId: survivor.id, role: "reader", joinedAt: new Date() })
      .execute();
    const visitor = await signedInAs(survivor);
    const text = pageText((await openPage(page, visitor, PAGE)).html);
    expect(text).toContain(
      "Takeover GmbH It stays a company of its own, because you are a member of it already. It keeps its details and what it owns. After the merge, your role in it is Owner.",
    );
    await merge(visitor);
    expect(await rolesIn(closed)).toEqual({ [survivor.id]: "owner" });
    expect(await entriesAbout(closed)).toEqual([
      `company.role-changed: Became Owner of Takeover GmbH by the merge of accounts into '${survivor.username}'.`,
    ]);
  });

  test("[CON-03] [AUD-01] writes into the audit trail of each company what became of it; 'Your data' lists the former one without a role", async () => {
    const [survivor, closed] = await twoCompanies();
    await merge(await signedInAs(survivor));
    const by = `by the merge of accounts into '${survivor.username}'`;
    for (const company of [survivor, closed])
      expect(await entriesAbout(company)).toEqual([`company.merged: Takeover GmbH became part of Bauer GmbH ${by}.`]);
    const data = await openPage(dataPage, await signedInAs(survivor), "/home/personal-data");
    expect(pageText(data.html)).toMatch(/Name Takeover GmbH .{0,90}Former company, now part of Bauer GmbH/);
    expect(pageText(data.html).match(/Role Owner/g)).toHaveLength(1);
    const [second, shared] = await twoCompanies();
    await createColleague(shared, "owner", { firstName: "Katrin" });
    await merge(await signedInAs(second));
    expect(await entriesAbout(shared)).toContainEqual(
      `company.joined: Joined Takeover GmbH as Owner by the merge of accounts into '${second.username}'.`,
    );
  });

  test("[CON-01] tells companies of the same name apart by their user names", async () => {
    const [survivor, closed] = await twoCompanies();
    await updateCompany(getDb(), closed.companyId, { name: "Bauer GmbH" }, new Date());
    const text = pageText((await openPage(page, await signedInAs(survivor), PAGE)).html);
    expect(text).toContain(`Bauer GmbH (${closed.username}) It becomes part of Bauer GmbH (${survivor.username})`);
  });

  test("[CON-03] does not change the company when the form is sent with the values of another one", async () => {
    const [survivor, closed] = await twoCompanies();
    await createColleague(survivor, "owner", { firstName: "Katrin" });
    const [before, other] = [await storedCompany(survivor), await storedCompany(closed)];
    const chosen = Object.fromEntries([...COMPANY_DETAILS, "position"].map((name) => [name, String(closed.id)]));
    expect((await merge(await signedInAs(survivor), chosen)).status).toBe(303);
    const { updatedAt: _, ...kept } = { ...before };
    expect(await storedCompany(survivor)).toMatchObject(kept);
    expect(await storedCompany(closed)).toMatchObject({ name: other?.name });
    expect(await readUser(survivor.id)).toMatchObject({ company: "Bauer GmbH", position: "Director" });
    expect((await auditOf(survivor.id)).map(({ event, message }) => [event, message])).toContainEqual([
      "account.details-updated",
      "Changed the user details by the merge: position from 'Buyer' to 'Director'.",
    ]);
  });

  test("[CON-01] [CON-03] a person who is no owner is asked about themselves only, and changes nothing of the company", async () => {
    const [survivor, closed] = await twoCompanies();
    const owner = await createUser({ company: "Gears AG" });
    const now = new Date();
    await getDb()
      .insertInto("memberships")
      .values({ companyId: owner.companyId, userId: survivor.id, role: "purchaser", joinedAt: now })
      .execute();
    await getDb().updateTable("users").set({ companyId: owner.companyId }).where("id", "=", survivor.id).execute();
    const before = await storedCompany(owner);
    const { rules, details } = await consolidation(await signedInAs(survivor));
    expect(rules.choices).toEqual({ position: [survivor.id, closed.id].map(String) });
    expect(details.find(({ name }) => name === "company")?.options).toMatchObject([
      { accountId: survivor.id, text: "Gears AG" },
    ]);
    expect((await merge(await signedInAs(survivor), { company: String(closed.id) })).status).toBe(303);
    expect(await storedCompany(owner)).toEqual(before);
    expect(await rolesIn(owner)).toEqual({ [owner.id]: "owner", [survivor.id]: "purchaser" });
  });

  test("[CON-03] when a colleague joins between the page and the confirmation, the page is shown again", async () => {
    const [survivor, closed] = await twoCompanies();
    const visitor = await signedInAs(survivor);
    const shown = { ...untouched(await consolidation(visitor)), company: String(closed.id) };
    const colleague = await createUser();
    const token = await invite(survivor, colleague.email);
    const joining = await (await signedInAs(colleague)).post(`/invitation/${token}`);
    expect((await run(invitationPage.action, joining, { token })).status).toBe(303);
    const { status, errors } = await errorsOf(await send(visitor, shown));
    expect(status).toBe(422);
    expect(errors.form).toBe("The accounts were changed meanwhile. Please check your choices and try again.");
    expect(await readUser(closed.id)).toMatchObject({ mergedInto: null });
    expect(await storedCompany(survivor)).toMatchObject({ name: "Bauer GmbH" });
    expect(await named(["company"], survivor)).toMatchObject([{ options: [{ text: "Bauer GmbH" }] }]);
  });
});

describe("a merge that makes two companies one", () => {
  test("[CON-01] says of each company what becomes of it", async () => {
    const [survivor] = await twoCompanies();
    const text = pageText((await openPage(page, await signedInAs(survivor), PAGE)).html);
    expect(text).toContain(
      "Bauer GmbH It keeps what it owns and gets what Takeover GmbH owns. Your role in it stays Owner.",
    );
    expect(text).toContain(
      "Takeover GmbH It becomes part of Bauer GmbH, which gets its certificates, ID codes, orders, drafts and API clients. Open invitations to it end.",
    );
    expect(text).not.toContain("stays a company of its own");
  });

  test("[CON-01] tells nothing about the companies before the email is confirmed", async () => {
    const [survivor] = await twoCompanies();
    await getDb().updateTable("users").set({ emailVerifiedAt: null }).where("id", "=", survivor.id).execute();
    const visitor = await signedInAs(survivor);
    expect(pageText((await openPage(page, visitor, PAGE)).html)).not.toContain("Takeover GmbH");
    expect(await consolidation(visitor)).toMatchObject({ companies: [] });
  });

  test("[CON-03] [AUD-01] writes a changed mailing address into the audit trail", async () => {
    const [survivor, closed] = await twoCompanies();
    const country = (await listCountries(getDb())).find(({ name }) => name === "Germany")?.id ?? 0;
    for (const [{ id: userId, companyId }, addressLine1] of [
      [survivor, "Postfach 1"],
      [closed, "Postfach 2"],
    ] as const) {
      const address = { userId, addressLine1, city: "Ulm", postalCode: "89073", country };
      const mailingAddressId = await saveAddress(getDb(), null, address);
      await updateCompany(getDb(), companyId, { mailingAddressId }, new Date());
    }
    expect((await merge(await signedInAs(survivor), { mailingAddress: String(closed.id) })).status).toBe(303);
    const changes = (await auditOf(survivor.id)).filter(({ event }) => event === "account.details-updated");
    expect(changes.map(({ message }) => message)).toEqual([
      "Changed the user details by the merge: mailing address from 'Postfach 1, 89073 Ulm, Germany' to 'Postfach 2, 89073 Ulm, Germany'.",
    ]);
  });

  test("[CON-03] [AUD-01] writes into the audit trail what it changes of the company's details", async () => {
    const [survivor, closed] = await twoCompanies();
    const change = { company: String(closed.id), companyRegistrationNumber: String(closed.id) };
    const visitor = await signedInAs(survivor);
    expect((await merge(visitor, change)).status).toBe(303);
    expect(await storedCompany(survivor)).toMatchObject({ name: "Takeover GmbH" });
    const entry = await getDb()
      .selectFrom("auditEntries")
      .select(["message", "actorName", "reference"])
      .where("event", "=", "account.details-updated")
      .where("userId", "=", survivor.id)
      .executeTakeFirst();
    expect(entry).toEqual({
      message:
        "Changed the user details by the merge: company from 'Bauer GmbH' to 'Takeover GmbH', company registration number from 'HRB 1' to 'HRB 2'.",
      actorName: survivor.email,
      reference: `CO-${survivor.companyId}`,
    });
    expect((await findUser(visitor.get("/")))?.company).toBe("Takeover GmbH");
  });
});

describe("a company that became part of another one", () => {
  test("[CON-03] has no open invitation any more, because nobody is to join an empty company", async () => {
    const [survivor, closed] = await twoCompanies();
    await invite(closed, "new.colleague@bauer.example");
    await merge(await signedInAs(survivor));
    const invitations = getDb().selectFrom("invitations").select("endedAt").where("companyId", "=", closed.companyId);
    expect(await invitations.execute()).toEqual([{ endedAt: expect.any(String) as string }]);
  });

  test("[CON-03] is listed for staff only when they search for it, without members, and its page leads to the other one", async () => {
    const [survivor, closed] = await twoCompanies();
    await merge(await signedInAs(survivor));
    const late = await createUser({
      email: survivor.email,
      username: `${survivor.username}.late`,
      company: "Late GmbH",
    });
    await merge(await signedInAs(late));
    const staff = await signedInAs(await createStaff(["user-administrator"]));
    const list = async (query: string) =>
      (
        await jsonOf<{ rows: { id: number; members: number }[] }>(
          await run(companiesPage.loader, staff.get(`/home/companies${query}`)),
        )
      ).rows.map(({ id, members }) => [id, members]);
    const listed = await list("?size=100");
    expect(listed).toContainEqual([late.companyId, 1]);
    for (const { companyId } of [survivor, closed]) {
      expect(listed.map(([id]) => id)).not.toContain(companyId);
      expect(await list(`?search=${companyId}`)).toContainEqual([companyId, 0]);
      const { html } = await openPage(companyPage, staff, `/home/companies/${companyId}`, {
        params: { id: String(companyId) },
      });
      expect(pageText(html)).toContain("Merged into Late GmbH");
      expect(select(html, `.note a[href="/home/companies/${late.companyId}"]`)).toHaveLength(1);
    }
    const { html } = await openPage(companyPage, staff, `/home/companies/${late.companyId}`, {
      params: { id: String(late.companyId) },
    });
    expect(pageText(html)).not.toContain("Merged into");
  });
});

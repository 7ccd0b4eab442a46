import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { may, STAFF_RIGHTS } from "~/domain/accounts/rights.policy";
import { removeMember } from "~/domain/companies/members.service.server";
import { COMPANY_PARTS, type CompanyPagePart } from "~/domain/companies/staff/company-parts.policy";
import { issueInvoice } from "~/domain/orders/invoices/invoices.service.server";
import { addDays } from "~/lib/dates";
import * as trailPage from "~/routes/home.audit-trail";
import * as certificatesPage from "~/routes/home.certificates";
import * as codesPage from "~/routes/home.codes/route";
import * as companyPage from "~/routes/home.companies.$id/route";
import * as companiesPage from "~/routes/home.companies._index";
import * as salesOrdersPage from "~/routes/home.sale-orders/route";
import * as usersPage from "~/routes/home.users._index";
import { getDb } from "~db/connection.server";
import { insertCompanies, updateCompany } from "~db/repositories/companies.server";
import { apiClientOf } from "../support/api";
import { makeClient } from "../support/api-clients";
import { record } from "../support/audit";
import { issueCertificate } from "../support/certificates";
import { createCode } from "../support/codes";
import { createColleague, invite, personOf } from "../support/companies";
import { addTo } from "../support/domains";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { createInvoiceableOrder } from "../support/invoices";
import { fillCertificates } from "../support/many-certificates";
import { useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

const LIST = "/home/companies";
const pathOf = (id: number) => `${LIST}/${id}`;
const open = (visitor: Visitor, id: number) =>
  openPage(companyPage, visitor, pathOf(id), { params: { id: String(id) } });
const names = (html: string) => textsOf(html, "tbody th");

const CAPTIONS: Record<CompanyPagePart, string> = {
  members: "Members",
  invitations: "Open invitations",
  clients: "API clients",
  domains: "Domains and mailboxes",
  certificates: "Certificates",
  codes: "ID codes",
  orders: "Orders",
  invoices: "Invoices and credit notes",
  checks: "Checks of organisation and authentication contact",
  notes: "Notes of staff",
  history: "History",
};

/** Returns the table of a part of the page. */
const tableOf = (html: string, part: CompanyPagePart) => select(html, `[role=region][aria-label="${CAPTIONS[part]}"]`);
const rowsOf = (html: string, part: CompanyPagePart) => tableOf(html, part).find("tbody tr").length;

/** A company with one of everything. */
async function createCompany() {
  const owner = await createUser({ company: "Éclair Gears Ltd" });
  const reader = await createColleague(owner, "reader");
  await invite(owner, "invited@example-parts.com");
  await makeClient(owner, ["certificates:read"], { name: "Store" });
  await addTo(owner, "eclair-gears.example.com");
  const certificate = await issueCertificate({ customer: owner, csr: makeCsr().der });
  const code = await createCode(owner);
  const orderId = await createInvoiceableOrder(owner);
  await issueInvoice(orderId, { id: (await createAdmin()).id, name: "olga@example.org" });
  return { id: owner.companyId, owner, reader, certificate, code, orderId };
}

describe("the list of companies", () => {
  test("finds companies by beginnings and parts of the name whatever its accents, by number and by their numbers", async () => {
    const visitor = await signedInAs(await createStaff(["user-administrator"]));
    const { companyId } = await createUser({ company: "Łódź Pressings" });
    await updateCompany(getDb(), companyId, { vatNumber: "PL7777777777" }, new Date());
    await createUser({ company: "Another Forge" });
    for (const search of ["lodz press", "ŁÓDŹ", "pl77777777", String(companyId), `co-${companyId}`]) {
      const { html } = await openPage(companiesPage, visitor, `${LIST}?${new URLSearchParams({ search }).toString()}`);
      expect({ search, names: names(html) }).toEqual({ search, names: ["Łódź Pressings"] });
      expect(select(html, "tbody th a").attr("href")).toContain(pathOf(companyId));
    }
    const none = await openPage(companiesPage, visitor, `${LIST}?search=100%25`);
    expect(pageText(none.html)).toContain("No records found");
  });

  test("leaves out a company without details that owns nothing, such as that of a removed person; a search finds it", async () => {
    const owner = await createUser();
    const member = await createUser({ firstName: "Tim", lastName: "Removedone" });
    const own = await createColleague(owner, "reader", { firstName: "Tim", lastName: "Removedtwo" });
    await getDb()
      .deleteFrom("memberships")
      .where("userId", "=", own.id)
      .where("companyId", "!=", owner.companyId)
      .execute();
    await removeMember(await personOf(owner), own.id);
    const visitor = await signedInAs(await createAdmin());
    const shown = async (query: string) =>
      names((await openPage(companiesPage, visitor, `${LIST}?size=100&sort=number.desc${query}`)).html);
    expect(await shown("")).toContain(member.company);
    expect(await shown("")).not.toContain("Tim Removedtwo");
    expect(await shown("&search=Tim+Removedtwo")).toEqual(["Tim Removedtwo"]);
  });

  test("leaves out companies that only staff use, until somebody else joins or something is ordered", async () => {
    const company = "Own Office";
    const [staff, admin] = [await createStaff(["finance"], { company }), await createAdmin({ company })];
    const customer = await createUser({ company });
    const visitor = await signedInAs(await createAdmin());
    const client = await apiClientOf(staff.email, TEST_PASSWORD);
    const shown = async () => {
      const { html } = await openPage(companiesPage, visitor, `${LIST}?search=own+office&sort=number.asc`);
      const called = await client.get<{ id: number }[]>("Companies/SearchCompanies?search=own+office");
      const ids = textsOf(html, "tbody td[data-l=Number]").map(Number);
      expect(called.content.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      return ids;
    };
    expect(await shown()).toEqual([customer.companyId]);
    await createCode(staff);
    await createColleague(admin, "reader");
    expect(await shown()).toEqual([staff.companyId, admin.companyId, customer.companyId]);
  });

  test("says that it leaves out companies without anything until they are searched for", async () => {
    const visitor = await signedInAs(await createAdmin());
    const now = new Date();
    await insertCompanies(getDb(), [{ name: "Nothing Yet", createdAt: now, updatedAt: now }]);
    const { html } = await openPage(companiesPage, visitor, LIST);
    expect(names(html)).not.toContain("Nothing Yet");
    expect(pageText(html)).toContain("are listed only when you search for them");
    expect(names((await openPage(companiesPage, visitor, `${LIST}?search=nothing+yet`)).html)).toEqual(["Nothing Yet"]);
  });

  test("is sorted by name without regard to case and accents, or by number, and pages are kept", async () => {
    const visitor = await signedInAs(await createAdmin());
    const now = new Date();
    const rows = ["ähren Page", "Zinc Page", "apple Page", "Brass Page"];
    await insertCompanies(
      getDb(),
      rows.map((name) => ({ name, createdAt: now, updatedAt: now })),
    );
    const sorted = async (sort: string) =>
      names((await openPage(companiesPage, visitor, `${LIST}?search=page&sort=${sort}`)).html);
    expect(await sorted("name.asc")).toEqual(["ähren Page", "apple Page", "Brass Page", "Zinc Page"]);
    expect(await sorted("name.desc")).toEqual(["Zinc Page", "Brass Page", "apple Page", "ähren Page"]);
    expect(await sorted("number.asc")).toEqual(rows);
    expect(await sorted("number.desc")).toEqual(rows.toReversed());
  });

  test("has pages, and shows the last one for a number past the end", async () => {
    const visitor = await signedInAs(await createAdmin());
    const now = new Date();
    const many = Array.from({ length: 12 }, (_, index) => `Numbered ${index + 10}`);
    await insertCompanies(
      getDb(),
      many.map((name) => ({ name, createdAt: now, updatedAt: now })),
    );
    const { html } = await openPage(companiesPage, visitor, `${LIST}?search=numbered&page=9999`);
    expect(names(html)).toEqual(["Numbered 20", "Numbered 21"]);
    expect(select(html, ".pager a[rel=prev]").attr("href")).toBe(`${LIST}?search=numbered`);
  });

  test("shows the new name of a company that was renamed in its new place", async () => {
    const visitor = await signedInAs(await createAdmin());
    const { companyId } = await createUser({ company: "Old Name Works" });
    await updateCompany(getDb(), companyId, { name: "Ångström Works" }, new Date());
    const { html } = await openPage(companiesPage, visitor, `${LIST}?search=angstrom`);
    expect(names(html)).toEqual(["Ångström Works"]);
  });
});

describe("the page of a company", () => {
  test("shows details, members, certificates, codes, orders, invoices, checks, notes and history, with links", async () => {
    const { id, owner, reader, certificate, code, orderId } = await createCompany();
    const { html } = await open(await signedInAs(await createAdmin()), id);
    const text = pageText(html);
    for (const shown of ["Éclair Gears Ltd", "GB123456789", "Anna Müller", "Bernd The reader", "Reader"])
      expect(text).toContain(shown);
    expect(rowsOf(html, "members")).toBe(2);
    for (const href of [
      `/home/users/${owner.id}`,
      `/home/users/${reader.id}`,
      `/home/certificate-details/${certificate.id}`,
      `/home/codes/code-details?code=${code.id}`,
      `/home/sale-orders/details?order=${orderId}`,
      `/home/certificate-queue/${certificate.id}`,
    ])
      expect({ href, isLinked: select(html, `a[href="${href}"]`).length > 0 }).toEqual({ href, isLinked: true });
    expect(tableOf(html, "invoices").text()).toContain("INV-");
    const checks = tableOf(html, "checks").text();
    expect(checks).toContain("Organisation");
    expect(checks).toContain("Authentication contact: authorised");
    expect(tableOf(html, "invitations").text()).toContain("invited@example-parts.com");
    expect(tableOf(html, "clients").text()).toMatch(/Store.*Active/);
    expect(html).not.toContain("mc_");
    const history = tableOf(html, "history").text();
    expect(history).toContain("Invited invited@example-parts.com to Éclair Gears Ltd as Purchaser.");
    expect(history).toMatch(/Invoice INV-\d+-\d+/);
  });

  test.each(STAFF_RIGHTS.filter((right) => may({ rights: [right] }, "see-companies")))(
    "shows %s the parts that this right shows, and no other",
    async (right) => {
      const { id } = await createCompany();
      const { html } = await open(await signedInAs(await createStaff([right])), id);
      const shown = Object.keys(CAPTIONS).filter((part) => tableOf(html, part as CompanyPagePart).length > 0);
      const allowed = Object.entries(COMPANY_PARTS).filter(([, task]) => may({ rights: [right] }, task));
      expect(shown).toEqual(allowed.map(([part]) => part));
      expect(pageText(html)).toContain("GB123456789");
      expect(pageText(html)).toContain("2, of whom 2 confirmed the email address");
      expect(select(html, 'textarea[name="note"]').length).toBe(
        may({ rights: [right] }, "write-company-notes") ? 1 : 0,
      );
    },
  );

  test("shows the latest ten of a long part with their number, and links each list narrowed to the company", async () => {
    const owner = await createUser({ company: "Long Parts Ltd" });
    await fillCertificates(12, { isRevoked: false, owner });
    const other = await createUser();
    await fillCertificates(2, { isRevoked: false, owner: other });
    await invite(owner, "invited@example-parts.com");
    const [code, foreign] = [await createCode(owner), await createCode(other)];
    const visitor = await signedInAs(await createAdmin());
    const { html } = await open(visitor, owner.companyId);
    expect(rowsOf(html, "certificates")).toBe(10);
    expect(tableOf(html, "certificates").find("caption").text()).toContain("12, the latest first");
    const narrowed = `companyId=${owner.companyId}`;
    for (const path of ["certificates", "codes", "sale-orders", "users", "audit-trail"])
      expect(select(html, `a[href="/home/${path}?${narrowed}"]`).length).toBeGreaterThan(0);

    const certificates = await openPage(certificatesPage, visitor, `/home/certificates?${narrowed}&size=25`);
    expect(select(certificates.html, "tbody tr").length).toBe(12);
    expect(pageText(certificates.html)).toContain("Only those of Long Parts Ltd . Show all companies");
    const orders = await openPage(salesOrdersPage, visitor, `/home/sale-orders?${narrowed}&size=25`);
    expect(select(orders.html, "tbody tr").length).toBe(12);
    expect(select(orders.html, `form[role=search] input[name="companyId"]`).attr("value")).toBe(
      String(owner.companyId),
    );
    const codes = await openPage(codesPage, visitor, `/home/codes?${narrowed}&show=codes`);
    expect(pageText(codes.html)).toContain(code.code);
    expect(pageText(codes.html)).not.toContain(foreign.code);
    const users = await openPage(usersPage, visitor, `/home/users?${narrowed}`);
    expect(textsOf(users.html, "tbody tr").map((row) => row.includes(owner.email))).toEqual([true]);
  });

  test("says beside the names of people who ordered and registered when they have left, and not beside the portal's", async () => {
    const owner = await createUser({ company: "Éclair Gears Ltd" });
    const purchaser = await createColleague(owner, "purchaser", { firstName: "Petra", lastName: "Parted" });
    await issueCertificate({ customer: purchaser, csr: makeCsr().der });
    await createCode(purchaser);
    const maintained = await createInvoiceableOrder(purchaser);
    await getDb().updateTable("orders").set({ isMaintenance: true }).where("id", "=", maintained).execute();
    await createInvoiceableOrder(owner);
    const visitor = await signedInAs(await createAdmin());
    const namesIn = async () => {
      const { html } = await open(visitor, owner.companyId);
      return (["certificates", "codes", "orders"] as const).map((part) => tableOf(html, part).text());
    };
    const LEFT = "Petra Parted (no longer a member of Éclair Gears Ltd)";
    for (const text of await namesIn()) expect(text).not.toContain("no longer a member");
    await removeMember(await personOf(owner), purchaser.id);
    const [certificates = "", codes = "", orders = ""] = await namesIn();
    for (const text of [certificates, codes, orders]) expect(text).toContain(LEFT);
    expect(orders).toContain("The portal");
    expect(orders).not.toContain("The portal (");
    expect(orders).not.toContain("Anna Müller (");
  });

  test("ends with 404 when there is no such company", async () => {
    const visitor = await signedInAs(await createAdmin());
    const answer = await run(companyPage.loader, visitor.get(pathOf(999_999)), { id: "999999" });
    expect(answer.status).toBe(404);
  });

  test("a customer narrows no list to another company by its address", async () => {
    const [customer, other] = [await createUser(), await createUser({ company: "Hidden Ltd" })];
    const foreign = await issueCertificate({ customer: other, csr: makeCsr().der });
    const own = await createCode(customer);
    const visitor = await signedInAs(customer);
    const narrowed = `companyId=${other.companyId}`;
    const certificates = await openPage(certificatesPage, visitor, `/home/certificates?${narrowed}`);
    expect(pageText(certificates.html)).not.toContain("Hidden Ltd");
    expect(select(certificates.html, `a[href*="${foreign.id}"]`).length).toBe(0);
    const codes = await openPage(codesPage, visitor, `/home/codes?${narrowed}`);
    expect(pageText(codes.html)).toContain(own.code);
    expect(pageText(codes.html)).not.toContain("Hidden Ltd");
  });
});

describe("the history of a company", () => {
  test("has the entries about its members and about what it owns, latest first, and is the same in the audit trail", async () => {
    const { id, owner, certificate } = await createCompany();
    const other = await createCompany();
    const visitor = await signedInAs(await createStaff(["auditor"]));
    const trail = await openPage(trailPage, visitor, `/home/audit-trail?companyId=${id}&size=100`);
    const text = pageText(trail.html);
    expect(text).toContain(`Only those of Éclair Gears Ltd (number ${id})`);
    const alone = await createUser({ company: "Sole Gears Ltd" });
    const address = `/home/audit-trail?companyId=${alone.companyId}`;
    expect(pageText((await openPage(trailPage, visitor, address)).html)).toContain("Only those of Sole Gears Ltd .");
    expect(text).toContain(`Certificate ${certificate.id}`);
    expect(text).toContain("Invited invited@example-parts.com");
    expect(select(trail.html, `tbody a[href="/home/certificate-details/${other.certificate.id}"]`).length).toBe(0);
    expect(select(trail.html, `tbody a[href="${pathOf(id)}"]`).length).toBeGreaterThan(0);
    const searched = await openPage(trailPage, visitor, `/home/audit-trail?companyId=${id}&event=company.invited`);
    expect(select(searched.html, "tbody tr").length).toBe(1);
    expect(pageText(searched.html)).toContain(owner.email);
    const tomorrow = addDays(new Date(), 2).toISOString().slice(0, 10).split("-").reverse().join("/");
    const later = await openPage(trailPage, visitor, `/home/audit-trail?companyId=${id}&from=${tomorrow}`);
    expect(pageText(later.html)).toContain("No records found");
  });
});

test("the history of a company from before people could share one has the entries about the account with its number", async () => {
  const [former, other] = [await createUser(), await createUser()];
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const company = { id: former.id, name: "Long Known Ltd", sortName: "long known ltd", ...times };
  await getDb().insertInto("companies").values(company).execute();
  const about = { event: "account.details-updated", orderId: null, certificateId: null, codeId: null };
  await record({ ...about, userId: former.id, message: "Changed the tax number of Long Known." });
  await record({ ...about, userId: other.id, message: "Changed the tax number of another one." });
  const visitor = await signedInAs(await createStaff(["auditor"]));
  const texts = async () => {
    const trail = `/home/audit-trail?companyId=${former.id}&event=account&text=tax`;
    const { html } = await open(visitor, former.id);
    return [tableOf(html, "history").text(), pageText((await openPage(trailPage, visitor, trail)).html)];
  };
  for (const text of await texts()) expect(text).not.toContain("Changed the tax number");
  await sql`update kysely_migration set timestamp = '9999-01-01T00:00:00.000Z'
    where name = '0014-company-members'`.execute(getDb());
  for (const text of await texts()) {
    expect(text).toContain("Changed the tax number of Long Known.");
    expect(text).not.toContain("another one");
  }
});

describe("the JSON calls of staff about companies", () => {
  const clientOf = async ({ email }: { email: string }) => apiClientOf(email, TEST_PASSWORD);

  test("list and search the companies, a page at a time", async () => {
    const { companyId } = await createUser({ company: "Searchable Axles" });
    const client = await clientOf(await createStaff(["user-administrator"]));
    const found = await client.get("Companies/SearchCompanies?search=searchable");
    expect(found.content).toMatchObject([
      { id: companyId, name: "Searchable Axles", members: 1, vatNumber: "GB123456789" },
    ]);
    expect((await client.get("Companies/SearchCompanies?search=searchable&page=2")).content).toEqual([]);
  });

  test("answer one company with the parts that the caller's rights show, and 404 for no company", async () => {
    const { id, owner, certificate } = await createCompany();
    const client = await clientOf(await createStaff(["approver"]));
    const { content } = await client.get<Record<string, { rows: object[]; total: number } | null>>(
      `Companies/GetCompany?companyId=${id}`,
    );
    expect(content).toMatchObject({ id, name: "Éclair Gears Ltd", members: null, orders: null, history: null });
    expect(content).toMatchObject({ memberCount: 2, confirmedEmails: 2 });
    expect(content.certificates).toMatchObject({
      total: 1,
      rows: [{ id: certificate.id, orderedBy: `${owner.firstName} ${owner.lastName}` }],
    });
    expect(content.notes).toEqual({ total: 0, rows: [] });
    expect((await client.get("Companies/GetCompany?companyId=999999")).status).toBe(404);
    const customer = await clientOf(await createUser());
    expect((await customer.get(`Companies/GetCompany?companyId=${id}`)).status).toBe(403);
    expect((await customer.get("Companies/SearchCompanies")).status).toBe(403);
  });

  test("add a note, which only staff who see customers may", async () => {
    const { companyId } = await createUser();
    const note = { companyId, note: "By a program." };
    const client = await clientOf(await createStaff(["finance"]));
    expect((await client.post("Companies/AddCompanyNote", note)).content).toBe(true);
    const { content } = await client.get<{ notes: object[] }>(`Companies/GetCompany?companyId=${companyId}`);
    expect(content.notes).toMatchObject({ total: 1, rows: [{ text: "By a program." }] });
    const auditor = await clientOf(await createStaff(["auditor"]));
    expect((await auditor.post("Companies/AddCompanyNote", note)).status).toBe(403);
  });
});

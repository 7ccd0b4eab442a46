import { join } from "node:path";
import { type Page } from "playwright";
import { beforeAll, expect } from "vitest";
import { SQLite } from "~db/sqlite.server";
import { useBrowser } from "../e2e/support/browser";
import { fill, logIn, press } from "../e2e/support/journey";
import { administrator } from "./support/people";
import { checkScreens, go, idOf, refused, type Screens } from "./support/screens";

const state = useBrowser();
let customer: Page;
let admin: Page;

beforeAll(async () => {
  const { code, out, err } = await state.portal.command(["demo"]);
  expect({ code, err }).toMatchObject({ code: 0 });
  const password = /with the password (\S+)/.exec(out)?.[1] ?? "";
  admin = await administrator(state);
  customer = await state.open();
  await logIn(customer, { email: "alice.whitmore@whitmore-castings.example", password });
});

/** Opens a list and expects that it has rows. */
const filled = (page: () => Page, path: string) => async () => {
  await page().goto(path);
  await page().locator("tbody :is(th, td)").first().waitFor();
  expect(await page().getByText("No records found").count()).toBe(0);
  return page();
};

/** Opens the page of the first row with this text. */
const detailsOf = (text: string, list?: string) => async () => {
  await admin.goto(await idOf(admin, text, list));
  return admin;
};

const COMPANY = "Whitmore";
const NOTE = "Asked by telephone for an invoice with another address.\nThe letter about it is in the file of 2026.";

/** Gives the customer's company a second member, so that lists and pages say who did what. */
function addColleague(): void {
  const database = new SQLite(join(state.portal.dataDir, "marque.sqlite"));
  database
    .prepare(
      `insert into memberships (company_id, user_id, role, joined_at)
       select companies.id, users.id, 'purchaser', companies.created_at from companies, users
       where companies.name like ? and users.email like '%ferrante%'`,
    )
    .run(`${COMPANY}%`);
  database.close();
}

/** Every list, table and details page with the data of the demonstration: certificates, codes and orders in every state. */
const screens: Screens = {
  "audit trail": filled(() => admin, "/home/audit-trail?size=100"),
  "audit trail of certificates": filled(() => admin, "/home/audit-trail?event=certificate&size=50"),
  overview: go(() => admin, "/home/overview"),
  "dashboard of staff": go(() => admin, "/home/dashboard"),
  dashboard: go(() => customer, "/home/dashboard"),
  users: filled(() => admin, "/home/users"),
  "account of a user": detailsOf("alice.whitmore", "/home/users?search=alice"),
  certificates: filled(() => customer, "/home/certificates"),
  "all certificates": filled(() => admin, "/home/certificates?size=25"),
  "certificate that is revoked": detailsOf("gateway.whitmore-castings.example"),
  "certificate that is to be revoked": detailsOf("oftp2.keller-praezision.example"),
  "certificate that is renewed": detailsOf("Renewed", "/home/certificates?search=oftp2.whitmore-castings"),
  "order that is rejected": detailsOf("scambio.ferrante-stampi.example"),
  "order that is cancelled": detailsOf("zkouska.dvorak-kabely.example"),
  queue: filled(() => admin, "/home/certificate-queue"),
  "order in the queue": detailsOf("plant2.whitmore-castings.example", "/home/certificate-queue"),
  codes: filled(() => customer, "/home/codes?show=codes"),
  "all codes": filled(() => admin, "/home/codes"),
  "search of everything": go(() => admin, "/home/search?q=whitmore"),
  "search of everything, nothing found": go(() => customer, "/home/search?q=nothing-like-this"),
  "search of everything, refused": go(() => customer, "/home/search?q=ab"),
  "code search": filled(() => admin, "/home/search-codes?company=whitmore"),
  "code details": async () => {
    await admin.goto("/home/search-codes?company=whitmore");
    await admin.locator("tbody").getByRole("link").first().click();
    await admin.getByRole("heading", { level: 1, name: /Entity|Code/ }).waitFor();
    return admin;
  },
  "sales orders": filled(() => admin, "/home/sale-orders?size=25"),
  jobs: filled(() => admin, "/home/jobs"),
  companies: filled(() => admin, "/home/companies"),
  "company, with a note": async () => {
    await admin.goto(await idOf(admin, COMPANY, `/home/companies?search=${COMPANY}`));
    await fill(admin, { note: NOTE });
    await press(admin, "Add note");
    await admin.getByText("The note was added.").waitFor();
    return admin;
  },
  "company, a note refused": () => refused(admin, "Add note"),
  "certificates of one company, for staff": async () => {
    await admin.getByRole("link", { name: "All certificates of the company" }).first().click();
    await admin.getByText("Show all companies").waitFor();
    return admin;
  },
  "notes about a company": async () => {
    await admin.goto(await idOf(admin, COMPANY, `/home/companies?search=${COMPANY}`));
    await admin.getByRole("link", { name: "All notes about the company" }).click();
    await admin.getByRole("heading", { level: 1, name: /^Notes about/ }).waitFor();
    return admin;
  },
  "certificates of several members": async () => {
    addColleague();
    await customer.goto("/home/certificates");
    await customer.getByRole("columnheader", { name: "Ordered by" }).waitFor();
    return customer;
  },
  "certificate of several members": async () => {
    await customer.goto(await idOf(customer, "gateway.whitmore-castings.example"));
    await customer.getByText("Revoked by", { exact: true }).waitFor();
    return customer;
  },
  "orders of a company": async () => {
    await customer.goto("/home/orders");
    await customer.getByText("Waits for your contact").waitFor();
    return customer;
  },
  "order that waits for its contact": async () => {
    await customer.goto("/home/orders");
    await customer.locator("tbody tr", { hasText: "Waits for your contact" }).getByRole("link").first().click();
    await customer.getByRole("link", { name: "Change the contact" }).waitFor();
    return customer;
  },
  "codes of several members": async () => {
    await customer.goto("/home/codes");
    await customer.getByRole("columnheader", { name: "Registered by" }).waitFor();
    return customer;
  },
};

checkScreens(screens);

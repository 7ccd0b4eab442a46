import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { CUSTOMER, fill, heading, press } from "../e2e/support/journey";
import { usePartner } from "../e2e/support/partner";
import { administrator, registered } from "./support/people";
import { checkScreens, go, idOf, refused, type Screens } from "./support/screens";

const { partner, env } = usePartner();
const state = useBrowser(env);
let customer: Page;
let admin: Page;
let visitor: Page;

beforeAll(async () => {
  [visitor, admin] = await Promise.all([state.open(), administrator(state)]);
  customer = await registered(state);
});

const customersAccount = async (page = admin) => {
  await page.goto(await idOf(page, CUSTOMER.email, "/home/users"));
  return page;
};

/** Opens the page before a task that needs a fresh proof, which ends when an administrator acts as a user. */
async function waitingToConfirm(): Promise<Page> {
  const page = await customersAccount(await administrator(state));
  await press(page, "Log in as user");
  await heading(page, "Welcome, Anna");
  await press(page, "Back to my own account");
  await page.getByText("You no longer act as Anna Müller.").waitFor();
  await page.goto("/second-factors/confirm");
  await heading(page, "Confirm that it is you");
  return page;
}

/** The screens of staff about accounts and the homepage, and the screens that change with their settings. */
const screens: Screens = {
  dashboard: go(() => customer, "/home/dashboard"),
  "dashboard of staff": go(() => admin, "/home/dashboard"),
  overview: go(() => admin, "/home/overview"),
  "audit trail": go(() => admin, "/home/audit-trail"),
  "audit trail, nothing found": go(() => admin, "/home/audit-trail?text=nothing"),
  "evidence packs": go(() => admin, "/home/evidence-packs"),
  "evidence packs, one to make": go(() => admin, "/home/evidence-packs?certificate=10001"),
  "evidence packs, refused": go(() => admin, "/home/evidence-packs?from=2026-01-01&to=2026-12-31"),
  "security events": go(() => admin, "/home/security-events"),
  "security events, nothing found": go(() => admin, "/home/security-events?address=none"),
  "certificate audit": go(() => admin, "/home/certificate-audit"),
  jobs: go(() => admin, "/home/jobs"),
  "jobs, one has run": async () => {
    await admin.goto("/home/jobs");
    await press(admin, "Run now clean-up");
    await admin.getByText("The job 'clean-up' has run").waitFor();
    return admin;
  },
  users: go(() => admin, "/home/users"),
  "users, nothing found": go(() => admin, "/home/users?search=nothing&state=locked"),
  "account of a user": customersAccount,
  "account of a user, refused": async () => refused(await customersAccount(), "Disable account"),
  "account of a user, to be disabled": async () => {
    const page = await customersAccount();
    await fill(page, { reason: "Left the company" });
    await press(page, "Disable account");
    await page.getByText("Are you sure you wish to disable this account?").first().waitFor();
    return page;
  },
  "new user": go(() => admin, "/home/users/new"),
  "new user, refused": async () => {
    await admin.goto("/home/users/new");
    const person = { firstName: "Anna", lastName: "Müller", company: "Example Ltd", position: "EDI" };
    await fill(admin, { ...person, email: CUSTOMER.email, telephoneNumber: "+44 20" });
    await press(admin, "Make account");
    await admin.getByText("Somebody has this email address already.").waitFor();
    return admin;
  },
  "details of a user": async () => {
    const page = await customersAccount();
    await page.getByRole("link", { name: "Change details" }).click();
    await heading(page, "Details of Anna Müller");
    return page;
  },
  "audit trail of a user": async () => {
    const page = await customersAccount();
    await page.getByRole("link", { name: "Whole audit trail of this account" }).click();
    await heading(page, "Audit trail of Anna Müller");
    return page;
  },
  "import users": go(() => admin, "/home/users/import"),
  "import users, to be confirmed": async () => {
    await admin.goto("/home/users/import");
    const header = "username,email,firstName,lastName,company,position,telephoneNumber";
    const row = (name: string) => `${name},${name},Bruno,Keller,Keller Logistics GmbH,EDI manager,+49 711 555`;
    await fill(admin, { csv: [header, row("bruno@keller.example"), row(CUSTOMER.email)].join("\n") });
    await press(admin, "Check the file");
    await heading(admin, "Check the import");
    return admin;
  },
  "log in as user, dead link": go(() => admin, "/login-as-user/999999/none"),
  "log in as user, waiting": async () => {
    const page = await customersAccount(await administrator(state));
    // The page submits its form automatically. The request is held back, so that the page can be seen.
    await page.route("**/login-as-user/**", (route) => (route.request().method() === "GET" ? route.continue() : null));
    await press(page, "Log in as user");
    await page.getByText("Please wait while log in completes").waitFor();
    return page;
  },
  "acting as a user": async () => {
    const page = await customersAccount(await administrator(state));
    await press(page, "Log in as user");
    await heading(page, "Welcome, Anna");
    return page;
  },
  "confirm that it is you": () => waitingToConfirm(),
  "confirm that it is you, refused": async () => refused(await waitingToConfirm(), "Confirm"),
  "manage homepage": go(() => admin, "/home/manage"),
  "manage homepage, refused": async () => {
    await admin.goto("/home/manage");
    await fill(admin, { banner: "www.example.org" });
    return refused(admin, "Update");
  },
  "dashboard with a message": async () => {
    await admin.goto("/home/manage");
    const [banner, link] = [`${partner.origin()}/banner.png`, partner.origin()];
    await fill(admin, { banner, link, tooltip: "Conference 2026: meet us" });
    await press(admin, "Update");
    await admin.getByText("Settings successfully updated.").waitFor();
    return admin;
  },
  "log in, with a banner": go(() => visitor, "/"),
  "manage homepage, with a banner": go(() => admin, "/home/manage"),
  "manage homepage, banner to be removed": async () => {
    await admin.goto("/home/manage");
    await press(admin, "Remove banner");
    await admin.getByText("Are you sure you wish to remove the banner").waitFor();
    return admin;
  },
  "promotion codes": async () => {
    await admin.goto("/home/promotion-codes/bulk");
    await fill(admin, { count: "12", value: "50", months: "12" });
    await press(admin, "Create");
    await admin.getByText("12 promotion codes").waitFor();
    return admin;
  },
  "promotion codes, to be withdrawn": async () => {
    await admin.goto("/home/promotion-codes");
    await admin.getByRole("radio").first().check();
    await press(admin, "Withdraw");
    await admin.getByText("Are you sure you wish to withdraw this promotion code?").first().waitFor();
    return admin;
  },
  "new promotion code": go(() => admin, "/home/promotion-codes/new"),
  "new promotion codes, refused": async () => {
    await admin.goto("/home/promotion-codes/bulk");
    return refused(admin, "Create");
  },
  "framed form": async () => {
    await customer.goto("/home/frame/odette/forms");
    await customer.frameLocator("iframe").getByRole("heading", { name: "Partner form" }).waitFor();
    return customer;
  },
  "framed form, not allowed in a frame": async () => {
    partner.headers = { "X-Frame-Options": "DENY" };
    await customer.goto("/home/frame/odette/forms");
    await customer.getByRole("button", { name: "Retry" }).waitFor();
    partner.headers = {};
    return customer;
  },
  "framed form, refused": go(() => customer, "/home/frame/odette/..%2Fx"),
  "jobs, one has failed": async () => {
    appendFileSync(join(state.portal.dataDir, "audit", "checkpoints.jsonl"), "{}\n");
    await admin.goto("/home/jobs");
    return refused(admin, "Run now audit-whole");
  },
};

checkScreens(screens);

test("[DSH-02] also with forced colours only the current page has a bar in the header", async () => {
  await customer.goto("/home/dashboard");
  await customer.emulateMedia({ forcedColors: "active" });
  const links = customer.locator(".nav :is(a, button)");
  const barred = await links.evaluateAll((all) =>
    all.filter((link) => getComputedStyle(link).borderBottomWidth !== "0px").map((link) => link.textContent),
  );
  expect(barred).toEqual(["Home"]);
});

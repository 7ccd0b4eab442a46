import { join } from "node:path";
import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { SQLite } from "~db/sqlite.server";
import { useBrowser } from "../e2e/support/browser";
import { importTwo, SHARED_PASSWORD } from "../e2e/support/imported";
import { CUSTOMER, fill, linkFor, logIn, logOut, press, register } from "../e2e/support/journey";
import { administrator, registered } from "./support/people";
import { checkScreens, go, refused, type Screens } from "./support/screens";

const NEWCOMER = { ...CUSTOMER, email: "newcomer@example-parts.com" };

const state = useBrowser();
let customer: Page;
let admin: Page;
let newcomer: Page;
/** A user whose email has several accounts. */
let several: Page;

beforeAll(async () => {
  [newcomer, several, admin] = await Promise.all([state.open(), state.open(), administrator(state)]);
  await register(newcomer, NEWCOMER);
  customer = await registered(state);
});

/** Runs a statement directly in the database. Its question mark stands for the email of an account. */
const change = (statement: string, email: string) => {
  const database = new SQLite(join(state.portal.dataDir, "marque.sqlite"));
  database.prepare(statement).run(email);
  database.close();
};

/** Changes an account, as time or an administrator would. */
const changeAccount = (columns: string, email: string) => change(`update users set ${columns} where email = ?`, email);

/** The link that confirms the email that the accounts share. */
const severalsLink = async () => {
  await press(several, "Send the link");
  return linkFor(state.portal, "berta@example-parts.com", "/verify-email/");
};

/** The screens of an account that its owner sees. */
const screens: Screens = {
  "complete registration": go(() => newcomer, "/complete-registration"),
  "complete registration, refused": async () => {
    await newcomer.goto("/complete-registration");
    await fill(newcomer, { useCompanyAddress: false });
    return refused(newcomer, "Continue");
  },
  "password about to expire": async () => {
    const changedAt = new Date(Date.now() - 360 * 86_400_000).toISOString();
    changeAccount(`password_changed_at = '${changedAt}'`, NEWCOMER.email);
    await newcomer.goto("/password-expiry");
    await newcomer.getByText("Your password is about to expire").waitFor();
    return newcomer;
  },
  "password expired": async () => {
    changeAccount("password_changed_at = '2020-01-01T00:00:00.000Z'", NEWCOMER.email);
    await newcomer.goto("/password-expiry");
    await newcomer.getByText("Your password has expired").waitFor();
    return newcomer;
  },
  "password of somebody else": async () => {
    changeAccount("must_change_password = 1", NEWCOMER.email);
    await newcomer.goto("/password-expiry");
    await newcomer.getByText("Please choose a password of your own").waitFor();
    return newcomer;
  },
  "consolidate users, email not confirmed": async () => {
    const email = await importTwo(state.portal, "berta", { withPassword: true });
    await several.goto("/login");
    await fill(several, { email, password: SHARED_PASSWORD });
    await press(several, "Login");
    await several.getByText("Please confirm your email address first.").waitFor();
    return several;
  },
  "consolidate users": async () => {
    await several.goto(await severalsLink());
    await press(several, "Confirm email address");
    await several.getByText("Where the accounts differ, choose what is kept.").waitFor();
    return several;
  },
  "consolidate users, to be confirmed": async () => {
    await press(several, "Merge accounts");
    await several.getByText("Do you want to merge these accounts? This cannot be undone.").waitFor();
    return several;
  },
  "consolidate users, new password refused": async () => {
    await several.goto("/consolidate-users");
    changeAccount("must_change_password = 1", "berta@example-parts.com");
    await logOut(several);
    await fill(several, { email: "berta@example-parts.com", password: SHARED_PASSWORD });
    await press(several, "Login");
    await several.getByText("Your password has expired.").waitFor();
    return refused(several, "Merge accounts");
  },
  "confirm email": async () => {
    await newcomer.goto(await linkFor(state.portal, NEWCOMER.email, "/verify-email/"));
    return newcomer;
  },
  "user details": go(() => customer, "/home/user-management"),
  "user details, refused": async () => {
    await customer.goto("/home/user-management");
    await fill(customer, { useCompanyAddress: false, position: "", securityAnswer: "x" });
    return refused(customer, "Save");
  },
  "user details, an email waits": async () => {
    await customer.goto("/home/user-management");
    await fill(customer, { email: "anna.new@example-parts.com", currentPassword: CUSTOMER.password });
    await press(customer, "Save");
    await customer.getByText("once the link that was sent to it is used").waitFor();
    await customer.goto("/home/user-management");
    await customer.getByText("The new email address is not confirmed yet.").waitFor();
    return customer;
  },
  "confirm a new email": async () => {
    await newcomer.goto(await linkFor(state.portal, "anna.new@example-parts.com", "/verify-email/"));
    return newcomer;
  },
  "your data": go(() => customer, "/home/personal-data"),
  "erase your data": go(() => customer, "/home/personal-data/erasure"),
  "sessions and devices": go(() => customer, "/home/sessions"),
  "sessions and devices, to be confirmed": async () => {
    const elsewhere = await state.open();
    await logIn(elsewhere, CUSTOMER);
    await customer.goto("/home/sessions");
    await press(customer, "End all others");
    await customer.getByText("Are you sure you wish to end all your other sessions").first().waitFor();
    return customer;
  },
  "dashboard of the longest names": async () => {
    const [first, last] = ["W".repeat(59), "M".repeat(59)];
    changeAccount(`first_name = '${first}', last_name = '${last}'`, CUSTOMER.email);
    const company = `update companies set name = '${"W".repeat(120)}'`;
    change(`${company} where id = (select company_id from users where email = ?)`, CUSTOMER.email);
    await customer.goto("/home/dashboard");
    await customer.getByText(first).first().waitFor();
    return customer;
  },
  "user details of the longest names": go(() => customer, "/home/user-management"),
  "account of the longest names, for staff": async () => {
    await admin.goto("/home/users");
    await admin.getByRole("link", { name: /W{59}/ }).first().click();
    await admin.getByRole("heading", { level: 1, name: /W{59}/ }).waitFor();
    return admin;
  },
  "user details of staff": go(() => admin, "/home/user-management"),
};

checkScreens(screens);

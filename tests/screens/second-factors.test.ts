import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { CUSTOMER, fill, heading, press } from "../e2e/support/journey";
import { App, keyOn } from "../support/authenticator-app";
import { administrator, registered } from "./support/people";
import { checkScreens, go, refused, type Screens } from "./support/screens";

const state = useBrowser();
let customer: Page;
let admin: Page;
let visitor: Page;

beforeAll(async () => {
  [customer, admin, visitor] = await Promise.all([registered(state), administrator(state), state.open()]);
});

const atTheApp = async () => {
  await customer.goto("/second-factors/app");
  await heading(customer, "Add an authenticator app");
  return customer;
};

/** Opens the page after the button in the row of the app. */
const changing = (button: string, title: string) => async () => {
  await customer.goto("/second-factors");
  await press(customer, `${button} Anna's phone`);
  await customer.getByRole("heading", { name: title }).first().waitFor();
  return customer;
};

/** The screens of second factors, from the first one on. */
const screens: Screens = {
  "notice to staff without a second factor": go(() => admin, "/home/dashboard"),
  "second factors of staff, none": go(() => admin, "/second-factors"),
  "second factors, none": go(() => customer, "/second-factors"),
  "new authenticator app": atTheApp,
  "new authenticator app, refused": async () => refused(await atTheApp(), "Add the app"),
  "new authenticator app, recovery codes": async () => {
    const page = await atTheApp();
    const app = new App(keyOn(await page.locator("main").innerText()));
    await fill(page, { code: app.code(), name: "Anna's phone" });
    await press(page, "Add the app");
    await heading(page, "The authenticator app has been added");
    return page;
  },
  "second factors": go(() => customer, "/second-factors"),
  "second factors, new recovery codes": async () => {
    await customer.goto("/second-factors");
    await press(customer, "Make new codes");
    await heading(customer, "Make new recovery codes");
    await press(customer, "Make new codes");
    await customer.getByRole("heading", { name: "Your recovery codes" }).waitFor();
    return customer;
  },
  "make new recovery codes": async () => {
    await customer.goto("/second-factors");
    await press(customer, "Make new codes");
    await heading(customer, "Make new recovery codes");
    return customer;
  },
  "rename a second factor": changing("Rename", "Rename second factor"),
  "remove a second factor": changing("Remove", "Remove second factor"),
  "log in, second factor": async () => {
    await visitor.goto("/login");
    await fill(visitor, { email: CUSTOMER.email, password: CUSTOMER.password });
    await press(visitor, "Login");
    await heading(visitor, "Second factor");
    return visitor;
  },
  "log in, second factor refused": async () => {
    await visitor.goto("/login/factor");
    return refused(visitor, "Log in");
  },
  "account with a second factor, for staff": async () => {
    await admin.goto(`/home/users?search=${CUSTOMER.email}`);
    await admin.getByRole("row").getByRole("link", { name: "Anna Müller" }).click();
    await admin.getByText("Recovery codes left: 10").waitFor();
    return admin;
  },
};

checkScreens(screens);

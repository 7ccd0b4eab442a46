import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import {
  completeRegistration,
  type Customer,
  CUSTOMER,
  fill,
  heading,
  logIn,
  logOut,
  press,
  register,
} from "./support/journey";
import { plugIn } from "./support/virtual-authenticator";

const state = useBrowser();

/** How often somebody logs in, because nothing may depend on what a page loads meanwhile. */
const LOGINS = 2;

const customer = (email: string): Customer => ({ ...CUSTOMER, email });

/** Registers a customer in a new browser, in which security keys can be used. */
async function registered(who: Customer): Promise<Page> {
  const page = await state.open();
  await register(page, who);
  await completeRegistration(page);
  return page;
}

/** Enters the password and waits for the second page of the login. */
async function enterPassword(page: Page, { email, password }: Customer): Promise<void> {
  await page.goto("/login?redirectTo=/home/sessions");
  await fill(page, { email, password });
  await press(page, "Login");
  await heading(page, "Second factor");
}

/** Opens the page of second factors and adds a passkey under a name. */
async function add(page: Page, name: string): Promise<void> {
  await page.goto("/second-factors");
  await fill(page, { name });
  await press(page, "Add a passkey");
}

/** Adds the first passkey of an account, whose recovery codes are then shown. */
async function addFirst(page: Page): Promise<void> {
  await add(page, "Key ring");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await page.getByRole("link", { name: "I have stored the codes" }).click();
  await heading(page, /^Welcome/);
  await page.goto("/second-factors");
  await page.getByRole("row").filter({ hasText: "Key ring" }).getByText("Not yet").waitFor();
}

const told = (page: Page, text: string | RegExp) => page.getByRole("alert").getByText(text).first().waitFor();

const withPasskeys = () => {
  test("[LOG-01] [USR-01] is added and then logs in; a copy of it is refused by its counter", async () => {
    const page = await registered(CUSTOMER);
    const key = await plugIn(page);
    await addFirst(page);
    const [stolen] = await key.passkeys();
    for (let times = 0; times < LOGINS; times += 1) {
      await logOut(page);
      await enterPassword(page, CUSTOMER);
      await press(page, "Use a passkey");
      await heading(page, "Your sessions and devices");
    }

    const thief = await state.open();
    if (stolen) await (await plugIn(thief)).store(stolen);
    await enterPassword(thief, CUSTOMER);
    await press(thief, "Use a passkey");
    await told(thief, /its counter did not grow, so it may be a copy/);
    await heading(thief, "Second factor");
  });

  test("[LOG-01] is asked for where a session was open with the password alone, and a device without it is told so", async () => {
    const who = customer("petra.klein@example-parts.com");
    const page = await registered(who);
    const other = await state.open();
    const key = await plugIn(other);
    await logIn(other, who);
    const first = await plugIn(page);
    await addFirst(page);
    const [passkey] = await first.passkeys();
    await other.goto("/home/sessions");
    await other.getByText("You have been logged out.").first().waitFor();
    await enterPassword(other, who);
    await press(other, "Use a passkey");
    await told(other, /this device has no passkey of your account/);
    if (passkey) await key.store(passkey);
    await press(other, "Use a passkey");
    await heading(other, "Your sessions and devices");
  });

  test("[USR-01] is not added twice, without a name, or under a name that is taken, and the page says why", async () => {
    const page = await registered(customer("otto.gross@example-parts.com"));
    const key = await plugIn(page);
    await addFirst(page);
    await add(page, "key RING");
    await told(page, "Another factor has this name already.");
    await fill(page, { name: "Spare key" });
    await press(page, "Add a passkey");
    await told(page, "This device has a passkey for your account already.");
    await fill(page, { name: "" });
    await press(page, "Add a passkey");
    await told(page, "Name: This field is required.");
    expect(await key.passkeys()).toHaveLength(1);
  });
};

const withoutPasskeys = () => {
  test("[USR-01] is told why it cannot add a passkey", async () => {
    const page = await registered(CUSTOMER);
    await page.goto("/second-factors");
    await page.getByText("This browser cannot add passkeys").waitFor();
    expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  });
};

if (withScripts) describe("a passkey", withPasskeys);
else describe("a browser without scripts", withoutPasskeys);

import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { ADMIN } from "../support/administrator";
import { useBrowser, withScripts } from "./support/browser";
import { completeRegistration, CUSTOMER, fill, heading, logIn, logOut, press, register } from "./support/journey";

const state = useBrowser();

const bar = (page: Page) => page.getByRole("region", { name: "Acting as a user" });

/** Goes from the tile on the dashboard through the search to the page of the account. */
async function findUser(admin: Page): Promise<void> {
  await admin.getByRole("main").getByRole("link", { name: "Users", exact: true }).click();
  await heading(admin, "Users");
  await fill(admin, { search: "example PARTS müller" });
  await press(admin, "Search");
  await admin.getByText("1 to 1 of 1").waitFor();
  await admin.getByRole("row").getByRole("link", { name: "Anna Müller" }).click();
  await heading(admin, "Anna Müller");
}

async function logInAsUser(admin: Page): Promise<void> {
  await press(admin, "Log in as user");
  if (!withScripts) {
    await admin.getByText("Please wait while log in completes").waitFor();
    await press(admin, "Continue");
  }
  await heading(admin, "Welcome, Anna");
}

const CONFIRMED = "You have confirmed that it is you";

/** Waits for the message after the confirmation, which only this part of the page shows. */
async function shownOnce(admin: Page, part: string): Promise<void> {
  await admin.locator(part).getByText(CONFIRMED).waitFor();
  expect(await admin.getByText(CONFIRMED).filter({ visible: true }).count()).toBe(1);
}

/** Changes rights as whoever runs the portal does. */
async function changeRights(...changes: [what: "grant" | "withdraw", email: string, right: string][]): Promise<void> {
  for (const change of changes)
    expect(await state.portal.command(["users", ...change, "--operator", "ian"])).toMatchObject({ code: 0, err: "" });
}

describe(`administration of users, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[MAN-02] [LOG-09] [LOG-10] an administrator finds a user, acts as the user, returns, and disables the account; a message whose card is gone is at the top", async () => {
    const [customer, admin] = [await state.open(), await state.open()];
    await register(customer, CUSTOMER);
    await completeRegistration(customer);
    await logIn(admin);
    await findUser(admin);

    await logInAsUser(admin);
    expect(await bar(admin).innerText()).toContain(
      `Portal Administrator is acting as Anna Müller (${CUSTOMER.company})`,
    );
    await admin.goto("/home/users");
    await heading(admin, "Welcome, Anna");
    await admin.goto("/home/certificates");
    await bar(admin).waitFor();
    expect(await bar(admin).isVisible()).toBe(true);
    await press(admin, "Back to my own account");
    await admin.getByText("You no longer act as Anna Müller.").waitFor();
    await heading(admin, "Anna Müller");
    expect(await bar(admin).count()).toBe(0);

    await press(admin, "Log in as user");
    await heading(admin, "Confirm that it is you");
    await press(admin, "Confirm");
    await admin.getByText("There is a problem").waitFor();
    await fill(admin, { currentPassword: ADMIN.password });
    await changeRights(["grant", CUSTOMER.email, "admin"], ["withdraw", ADMIN.email, "admin"]);
    await changeRights(["grant", ADMIN.email, "auditor"]);
    await press(admin, "Confirm");
    await heading(admin, "Anna Müller");
    expect(await admin.getByRole("button", { name: "Log in as user" }).count()).toBe(0);
    await shownOnce(admin, ".toast");
    await changeRights(["withdraw", ADMIN.email, "auditor"], ["grant", ADMIN.email, "admin"]);
    await changeRights(["withdraw", CUSTOMER.email, "admin"]);

    await logOut(admin);
    await logIn(admin);
    await findUser(admin);
    await logInAsUser(admin);
    await press(admin, "Back to my own account");
    await heading(admin, "Anna Müller");
    await press(admin, "Log in as user");
    await fill(admin, { currentPassword: ADMIN.password });
    await press(admin, "Confirm");
    await heading(admin, "Anna Müller");
    await shownOnce(admin, "#login");
    await logInAsUser(admin);
    await logOut(admin);
    await admin.goto("/home/dashboard");
    await admin.getByRole("heading", { name: "Log in" }).waitFor();
    await logIn(admin);
    await findUser(admin);

    await customer.goto("/home/certificates");
    await heading(customer, "Certificates");
    await press(admin, "Disable account");
    await admin.getByText("There is a problem").waitFor();
    await fill(admin, { reason: "Left the company" });
    await press(admin, "Disable account");
    await admin.getByText("Are you sure you wish to disable this account?").first().waitFor();
    await admin.getByRole("button", { name: "Disable account" }).last().click();
    await admin.getByText("The account has been disabled.").waitFor();
    await customer.getByRole("link", { name: "Repository" }).first().click();
    await customer.getByRole("heading", { name: "Log in" }).waitFor();
  });
});

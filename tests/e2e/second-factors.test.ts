import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { addApp, enterCode, enterPassword } from "./support/factors";
import {
  completeRegistration,
  type Customer,
  CUSTOMER,
  fill,
  heading,
  linkFor,
  logIn,
  logOut,
  press,
  register,
  verifyEmail,
} from "./support/journey";

const state = useBrowser();

async function registered(who: Customer): Promise<Page> {
  const page = await state.open();
  await register(page, who);
  await completeRegistration(page);
  return page;
}

describe(`second factors, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[LOG-01] [USR-01] an authenticator app is added and then logs in, each code once; so does a recovery code", async () => {
    const page = await registered(CUSTOMER);
    const { app, codes } = await addApp(page);
    expect(codes).toHaveLength(10);
    await logOut(page);

    await enterPassword(page, CUSTOMER);
    const code = app.code();
    await enterCode(page, code);
    await heading(page, "Welcome, Anna");
    await logOut(page);

    await enterPassword(page, CUSTOMER);
    await enterCode(page, code);
    await page.getByText("This code was used already.").first().waitFor();
    await enterCode(page, codes[0] ?? "");
    await heading(page, "Welcome, Anna");
    await page.goto("/second-factors");
    await page.getByText("Recovery codes that you have not used: 9.").waitFor();
  });

  test("[MAN-02] [LOG-01] one user administrator requests a reset, another one approves it, and the password is enough again", async () => {
    const owner: Customer = { ...CUSTOMER, email: "otto.gross@example-parts.com" };
    const officer: Customer = {
      ...CUSTOMER,
      firstName: "Olga",
      lastName: "Klein",
      email: "olga.klein@association.example",
      company: "Association",
    };
    const [page, second, admin] = [await registered(owner), await registered(officer), await state.open()];
    await addApp(page);
    await verifyEmail(page, state.portal, owner);
    await verifyEmail(second, state.portal, officer);
    const grant = ["users", "grant", officer.email, "user-administrator", "--operator", "ian"];
    expect(await state.portal.command(grant)).toMatchObject({ code: 0 });

    await logIn(admin);
    await admin.goto(`/home/users?search=${owner.email}`);
    await admin.getByRole("row").getByRole("link", { name: "Anna Müller" }).click();
    await fill(admin, { reason: "Lost the phone; recognised by a call back" });
    await press(admin, "Reset second factors");
    await admin.getByText("Have you made sure that it is the owner of the account").first().waitFor();
    const question = withScripts ? admin.getByRole("dialog") : admin;
    await question.getByRole("button", { name: "Reset second factors" }).click();
    await admin.getByText("A request waits for a second user administrator.").waitFor();
    expect(await admin.getByRole("button", { name: "Approve request" }).count()).toBe(0);

    await second.goto(new URL(admin.url()).pathname);
    await second.getByText("Lost the phone; recognised by a call back").first().waitFor();
    await press(second, "Approve request");
    await second
      .getByText("Are you sure you wish to approve the request to reset the second factors?")
      .first()
      .waitFor();
    const approval = withScripts ? second.getByRole("dialog") : second;
    await approval.getByRole("button", { name: "Approve request" }).click();
    await second.getByText("A request waits for a second user administrator.").waitFor({ state: "detached" });
    await linkFor(state.portal, owner.email, "/second-factor", "The second factors of your account were reset");
    await page.goto("/home/dashboard");
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    await logIn(page, owner);
  });
});

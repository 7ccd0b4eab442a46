import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page } from "playwright";
import { afterAll, describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { completeRegistration, CUSTOMER, fill, heading, linkFor, logOut, press, register } from "./support/journey";

const dir = mkdtempSync(join(tmpdir(), "marque-config-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** Writes a configuration in which passwords expire after ten days, so that every new password is about to expire. */
function shortLived(): string {
  const config = JSON.parse(readFileSync("config/portal.json", "utf8")) as { accounts: object };
  const file = join(dir, "portal.json");
  writeFileSync(file, JSON.stringify({ ...config, accounts: { ...config.accounts, passwordMaxAgeDays: 10 } }));
  return file;
}

const state = useBrowser({ PORTAL_CONFIG: shortLived() });

const NEW = "a brand new passphrase";
const NEWER = "an even newer passphrase";

async function forget(page: Page, email: string): Promise<string> {
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgotten your password?" }).click();
  await heading(page, "Password Recovery");
  await fill(page, { email });
  await press(page, "Continue");
  await page.getByText(`If there is an account for ${email}`).waitFor();
  return linkFor(state.portal, email, "/reset-code/");
}

async function enterPassword(page: Page, password: string): Promise<void> {
  await heading(page, "Change password");
  await fill(page, { password, confirmPassword: password });
  await press(page, "Change password");
  await page.getByText("Your password has been successfully changed.").waitFor();
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await fill(page, { email, password });
  await press(page, "Login");
  await heading(page, "Your password is about to expire");
  await page
    .getByText("You will now be taken to the account management page where you can change your password.")
    .waitFor();
}

/** Returns whether the scripts of the field refuse a paste. */
const refusesPaste = (page: Page, name: string) =>
  page.locator(`[name="${name}"]`).evaluate((field) => {
    const paste = new ClipboardEvent("paste", { bubbles: true, cancelable: true });
    field.dispatchEvent(paste);
    return paste.defaultPrevented;
  });

describe(`password recovery, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[REC-01] [REC-02] [REC-03] [REC-04] [REC-05] [LOG-04] leads from the forgotten password to a new one and to the dashboard", async () => {
    const page = await state.open();
    const { email } = CUSTOMER;
    await register(page, CUSTOMER);
    await completeRegistration(page);
    await logOut(page);

    await page.goto(await forget(page, email));
    await page.getByText("What was the name of your first pet?").waitFor();
    await fill(page, { securityAnswer: "Rex" });
    if (withScripts) expect(await refusesPaste(page, "resetCode")).toBe(false);
    await press(page, "Continue");
    await page.getByText("The security answer provided does not match with the one stored in your profile.").waitFor();
    expect(await page.getByText("There is a problem").count()).toBe(0);
    await fill(page, { securityAnswer: "Bello" });
    await press(page, "Continue");

    await heading(page, "Change password");
    await fill(page, { password: NEW, confirmPassword: "something else" });
    await press(page, "Change password");
    await page.getByText("There is a problem").waitFor();
    await page.getByText("Entered values do not match.").first().waitFor();
    if (withScripts)
      for (const name of ["password", "confirmPassword"]) expect(await refusesPaste(page, name)).toBe(true);
    await enterPassword(page, NEW);
    expect(new URL(page.url()).pathname).toBe("/");
    await page.goto("/change-password");
    await heading(page, "Password Recovery");

    await page.goto("/home/certificates?page=1");
    await logIn(page, email, NEW);
    await press(page, "No");
    await heading(page, "Certificates");
    await logOut(page);
    await logIn(page, email, NEW);
    await press(page, "Yes");
    await enterPassword(page, NEWER);
    await heading(page, "Welcome, Anna");
    await logOut(page);
    await logIn(page, email, NEWER);
  });

  test("[REC-03] [REC-05] does not ask an account without a security question for one, and lets it choose one", async () => {
    const page = await state.open();
    await page.goto(await forget(page, "admin@example.org"));
    await page.getByText("No security question is stored for your account").waitFor();
    expect(await page.locator('[name="securityAnswer"]').isDisabled()).toBe(true);
    await press(page, "Continue");
    await heading(page, "Change password");
    await fill(page, { password: NEW, confirmPassword: NEW });
    await press(page, "Change password");
    await page.getByText("There is a problem").waitFor();
    await fill(page, { securityQuestion: "What was the model of your first car?", securityAnswer: "Beetle" });
    await enterPassword(page, NEW);
    await logIn(page, "admin@example.org", NEW);
  });
});

import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { importTwo, SHARED_PASSWORD } from "./support/imported";
import { fill, heading, linkFor, logOut, press } from "./support/journey";

const state = useBrowser();

const PASSWORD = "a brand new passphrase";

/** Merges the accounts. With scripts, the question is a dialog over the page. */
async function mergeAccounts(page: Page) {
  await press(page, "Merge accounts");
  await page.getByText("Do you want to merge these accounts? This cannot be undone.").waitFor();
  const dialog = withScripts ? page.getByRole("dialog") : page;
  await dialog.getByRole("button", { name: "Merge accounts", exact: true }).click();
}

describe(`accounts that share an email, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[CON-01] [CON-04] [LOG-06] imported without passwords, they become one account after a password recovery", async () => {
    const email = await importTwo(state.portal, "anna");
    const page = await state.open();
    await page.goto("/forgot-password");
    await fill(page, { email });
    await press(page, "Continue");
    await page.goto(await linkFor(state.portal, email, "/reset-code/"));
    await press(page, "Continue");
    await heading(page, "Change password");
    await fill(page, {
      password: PASSWORD,
      confirmPassword: PASSWORD,
      securityQuestion: "What was the name of your first pet?",
      securityAnswer: "Bello",
    });
    await press(page, "Change password");
    await page.getByText("Your password has been successfully changed.").waitFor();

    await page.goto("/login");
    await fill(page, { email, password: PASSWORD });
    await press(page, "Login");
    await heading(page, "Complete Registration");
    await page.getByText("Your accounts will be merged.").waitFor();
    await expect.poll(() => page.getByRole("radio", { name: /^Example Parts AG/ }).isChecked()).toBe(true);
    await page.getByRole("radio", { name: /^Example Parts GmbH/ }).check();
    await mergeAccounts(page);

    await heading(page, "Welcome, Anna");
    await page.getByText("User details successfully updated. Accounts merged: 1.").waitFor();
    await page.goto("/home/user-management");
    expect(await page.locator('[name="company"]').inputValue()).toBe("Example Parts GmbH");
    expect(await page.locator('[name="position"]').inputValue()).toBe("EDI manager");
    expect(await page.locator('[name="companyAddress.city"]').inputValue()).toBe("Köln");
    expect(await page.locator('[name="vatNumber"]').inputValue()).toBe("DE123456789");
  });

  test("[CON-03] with passwords, the mailbox is proved first", async () => {
    const email = await importTwo(state.portal, "berta", { withPassword: true });
    const page = await state.open();
    await page.goto("/login");
    await fill(page, { email, password: SHARED_PASSWORD });
    await press(page, "Login");
    await heading(page, "Complete Registration");
    await page.getByText("Please confirm your email address first.").waitFor();
    expect(await page.getByRole("button", { name: "Merge accounts" }).count()).toBe(0);
    await press(page, "Send the link");
    await page.getByText(`A link is on its way to ${email}.`).waitFor();
    await page.goto(await linkFor(state.portal, email, "/verify-email/"));
    await press(page, "Confirm email address");
    await heading(page, "Complete Registration");
    await mergeAccounts(page);
    await heading(page, "Welcome, Anna");
    await logOut(page);
    await fill(page, { email, password: SHARED_PASSWORD });
    await press(page, "Login");
    await heading(page, "Welcome, Anna");
  });
});

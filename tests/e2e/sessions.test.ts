import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { completeRegistration, CUSTOMER, fill, heading, linkFor, logIn, press, register } from "./support/journey";

const state = useBrowser();

/** Answers the question with the password. */
async function confirm(page: Page, name: string): Promise<void> {
  await heading(page, name);
  await fill(page, { currentPassword: CUSTOMER.password });
  await press(page, name);
}

describe(`one's own sessions, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[LOG-10] a user finds a session that is not known, ends it, and then ends all others; their browsers are logged out", async () => {
    const [own, second, third] = [await state.open(), await state.open(), await state.open()];
    await register(own, CUSTOMER);
    await completeRegistration(own);
    await logIn(second, CUSTOMER);
    await linkFor(state.portal, CUSTOMER.email, "/forgot-", "New login to your account");

    await own.goto("/home/user-management");
    await own.getByRole("link", { name: "Sessions and devices" }).click();
    await heading(own, "Your sessions and devices");
    expect(await own.getByText("This session", { exact: true }).count()).toBe(1);
    await own.getByRole("button", { name: /^End the session/ }).click();
    await own.getByText("Are you sure you wish to end this session?").first().waitFor();
    await own.getByRole("link", { name: "Cancel" }).click();
    await heading(own, "Your sessions and devices");
    await own.getByRole("button", { name: /^End the session/ }).click();
    await own.getByText("Are you sure you wish to end this session?").first().waitFor();
    await confirm(own, "End session");
    await own.getByText("The session has been ended:").waitFor();
    await second.goto("/home/certificates");
    await second.getByText("This session was ended from another one of your account.").waitFor();

    await logIn(second, CUSTOMER);
    await logIn(third, CUSTOMER);
    await own.goto("/home/sessions");
    await press(own, "End all others");
    await own.getByText("Are you sure you wish to end all your other sessions").first().waitFor();
    await confirm(own, "End all others");
    await own.getByText("Other sessions ended: 2.").waitFor();
    for (const page of [second, third]) {
      await page.goto("/home/dashboard");
      await page.getByRole("heading", { name: "Log in" }).waitFor();
    }
    await own.goto("/home/dashboard");
    await heading(own, "Welcome, Anna");
  });
});

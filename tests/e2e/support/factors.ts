import { type Page } from "playwright";
import { App, keyOn } from "../../support/authenticator-app";
import { type Customer, fill, heading, press } from "./journey";

/** Adds an authenticator app, after a wrong code. Returns the app and the recovery codes. */
export async function addApp(page: Page): Promise<{ app: App; codes: string[] }> {
  await page.goto("/second-factors");
  await page.getByRole("link", { name: "Add an authenticator app" }).click();
  await heading(page, "Add an authenticator app");
  const app = new App(keyOn(await page.locator("main").innerText()));
  await fill(page, { code: "000000", name: "Anna's phone" });
  await press(page, "Add the app");
  await page.getByText("This code is not right.").first().waitFor();
  await fill(page, { code: app.code() });
  await press(page, "Add the app");
  await heading(page, "The authenticator app has been added");
  return { app, codes: await page.locator(".codes li").allInnerTexts() };
}

/** Enters the password, and waits for the second page of the login. */
export async function enterPassword(page: Page, { email, password }: Customer): Promise<void> {
  await page.goto("/login");
  await fill(page, { email, password });
  await press(page, "Login");
  await heading(page, "Second factor");
}

/** Enters a code on the second page of the login. */
export async function enterCode(page: Page, code: string): Promise<void> {
  await fill(page, { code });
  await press(page, "Log in");
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configureSignOn, IdentityProvider } from "../support/identity-provider";
import { writeConfig } from "../support/template";
import { useBrowser, withScripts } from "./support/browser";
import { heading } from "./support/journey";
import { startPortal } from "./support/running-portal";

const provider = new IdentityProvider();
const folder = mkdtempSync(join(tmpdir(), "marque-sign-on-"));

const state = useBrowser({}, async (env) => {
  const file = writeConfig(folder);
  configureSignOn({}, file);
  const portal = await startPortal({ ...env, PORTAL_CONFIG: file, ...(await provider.listen()) });
  await provider.start(portal.origin);
  return portal;
});

beforeAll(() => {
  provider.person = { sub: "stella", email: "stella@example.org", email_verified: true, groups: ["ca-officers"] };
});
afterAll(async () => {
  await provider.stop();
  rmSync(folder, { recursive: true });
});

describe(`single sign-on, scripts ${withScripts ? "on" : "off"}`, () => {
  test("a member of staff logs in with the link of the login page and gets to the page that was asked for", async () => {
    const page = await state.open();
    await page.goto("/home/certificate-queue");
    await page.getByRole("link", { name: "Log in with Example ID" }).click();
    await page.waitForURL("**/home/certificate-queue");
    provider.person = null;
    const other = await state.open();
    await other.goto("/login");
    await other.getByRole("link", { name: "Log in with Example ID" }).click();
    await heading(other, "Single sign-on did not work");
    expect(await other.locator("main").innerText()).toContain("cancelled or refused");
    await other.getByRole("link", { name: "Back to the login" }).click();
    await other.getByRole("button", { name: "Login" }).waitFor();
  });
});

import { describe, expect, test } from "vitest";
import { startPostgres } from "../support/postgres";
import { useBrowser, withScripts } from "./support/browser";
import { CUSTOMER, fill, heading, logIn, press, registrationOf } from "./support/journey";
import { makePortalTemplate } from "./support/portal-template";
import { startPortal } from "./support/running-portal";

let postgres: Awaited<ReturnType<typeof startPostgres>>;

/** The portal uses a separate PostgreSQL server, which the tests stop. */
const state = useBrowser({}, async () => {
  postgres = await startPostgres();
  await postgres.createDatabase("portal");
  const databaseUrl = `${postgres.url}/portal`;
  const template = await makePortalTemplate(databaseUrl);
  const portal = await startPortal({ DATABASE_URL: databaseUrl }, { template: template.dir });
  template.remove();
  const dispose = async () => {
    await portal.dispose();
    await postgres.stop();
  };
  return { ...portal, dispose };
});

const AWAY = "Not available at the moment";

async function startAgain() {
  await postgres.start();
  await expect.poll(async () => (await fetch(`${state.portal.origin}/readyz`)).status).toBe(200);
}

describe(`PostgreSQL is stopped while a form is filled in, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[GEN-02] [USR-03] the page keeps the typed values and sends them again until they are stored", async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/user-management");
    await fill(page, { position: "Typed in the outage" });
    await postgres.shutDown();
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await press(page, "Save");
    const answer = await answered;
    expect([answer.status(), await answer.headerValue("Retry-After")]).toEqual([503, "5"]);
    await heading(page, AWAY);
    await page.getByText("Nothing was stored. What you typed is kept on this page.").waitFor();
    await press(page, "Send again");
    await heading(page, AWAY);
    await startAgain();
    await press(page, "Send again");
    await page.getByText("User details successfully updated.").waitFor();
    await page.goto("/home/user-management");
    expect(await page.locator('[name="position"]').inputValue()).toBe("Typed in the outage");
  });

  test("[GEN-02] [REG-03] no page contains passwords or answers: the form comes back with the other values and is stored", async () => {
    const page = await state.open();
    await page.goto("/register");
    await fill(page, registrationOf(CUSTOMER));
    await postgres.shutDown();
    await press(page, "Register");
    await heading(page, AWAY);
    const html = await page.content();
    expect(html).toContain(CUSTOMER.email);
    for (const secret of [CUSTOMER.password, "Bello"]) expect(html).not.toContain(secret);
    await startAgain();
    await press(page, "Back to the form");
    await heading(page, "Registration");
    await page.getByText("Please enter them again where they are needed").first().waitFor();
    expect(await page.locator('[name="email"]').inputValue()).toBe(CUSTOMER.email);
    expect(await page.locator('[name="password"]').inputValue()).toBe("");
    const { password, confirmPassword, securityAnswer } = registrationOf(CUSTOMER);
    await fill(page, { password, confirmPassword, securityAnswer });
    await press(page, "Register");
    await heading(page, "Company Registration");
  });
});

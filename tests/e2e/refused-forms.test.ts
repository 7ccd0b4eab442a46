import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HttpVisitor } from "../support/http-visitor";
import { pageText, select } from "../support/page";
import { useBrowser, withScripts } from "./support/browser";
import { fill, heading, logIn, logOut, press } from "./support/journey";
import { ADMIN } from "./support/running-portal";

const state = useBrowser();

/** Forms in the header and banners of every page. Their routes have no page of their own. */
const ROUTES = ["/logout", "/theme", "/resend-verification", "/end-login-as-user"];

/** Another site, whose page has a form for each of these paths of the portal. */
const other = createServer((_request, response) => {
  const form = (path: string) =>
    `<form method="post" action="${state.portal.origin}${path}"><button>Win ${path}</button></form>`;
  response.setHeader("Content-Type", "text/html");
  response.end(`<!doctype html><title>Prize</title><link rel="icon" href="data:,">${FOREIGN_FORMS.map(form).join("")}`);
});
const FOREIGN_FORMS = [...ROUTES, "/login", "/home/manage"];
let otherOrigin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(() => {
  other.closeAllConnections();
  other.close();
});

/** Gives the form an old token, as on a page that was opened before a login. */
async function outdate(page: Page, action: string): Promise<void> {
  // The page's scripts give the form its token when they begin, and React marks the form then.
  const hasBegun = (selector: string) =>
    Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith("__reactProps"));
  if (withScripts) await page.waitForFunction(hasBegun, `form[action="${action}"]`);
  await page.waitForLoadState("networkidle");
  const token = page.locator(`form[action="${action}"] [name="csrf"]`).first();
  await token.evaluate((field: HTMLInputElement) => (field.value = "outdated"));
}

async function expectRefusal(page: Page, text: string) {
  await heading(page, "Not allowed");
  await page.getByText(text).waitFor();
  expect(await page.title()).toMatch(/^Not allowed - ./);
  for (const role of ["banner", "contentinfo"] as const) expect(await page.getByRole(role).count()).toBe(1);
}

const TOO_OLD = "This form is too old or was not made by this portal.";
const FOREIGN = "This form was sent from another site. Nothing was changed.";

describe(`forms that are refused, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[LOG-08] [DSH-03] an outdated Log out or choice of colours gets a page of the portal that leads on", async () => {
    const page = await state.open();
    await logIn(page);
    await outdate(page, "/theme");
    if (withScripts) await page.locator("#theme").selectOption("dark");
    else await press(page, "Apply");
    await expectRefusal(page, TOO_OLD);
    await page.getByRole("link", { name: "Go to the start page" }).click();
    await heading(page, /^Welcome/);
    await outdate(page, "/logout");
    await page.locator('form[action="/logout"] button').first().click();
    await expectRefusal(page, TOO_OLD);
    await page.getByRole("link", { name: "Go to the start page" }).click();
    await heading(page, /^Welcome/);
  });

  test("[LOG-08] a form opened before the same user logged in again comes back as typed and can be sent", async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/user-management");
    await fill(page, { position: "Typed before" });
    const second = await page.context().newPage();
    await second.goto("/home/dashboard");
    await logOut(second);
    await logIn(second);
    await press(page, "Save");
    await page.getByText("This form was opened before you last logged in or out.").waitFor();
    await heading(page, "User Details");
    expect(await page.locator('[name="position"]').inputValue()).toBe("Typed before");
    await press(page, "Save");
    await heading(page, /^Welcome/);
    await page.getByText("User details successfully updated.").waitFor();
  });

  test("[DSH-03] [GEN-02] a form on another site's page gets a page of the portal and changes nothing", async () => {
    const page = await state.open();
    await logIn(page);
    for (const path of FOREIGN_FORMS) {
      await page.goto(otherOrigin);
      await press(page, `Win ${path}`);
      await expectRefusal(page, FOREIGN);
    }
    await page.goto("/home/dashboard");
    await heading(page, /^Welcome/);
  });

  test("[LOG-08] [DSH-03] both are answered with 403 and pages of the portal", async () => {
    const visitor = new HttpVisitor(state.portal.origin);
    await visitor.logIn(ADMIN);
    for (const path of ROUTES) {
      for (const [fields, headers, text] of [
        [{ csrf: "outdated" }, {}, TOO_OLD],
        [{}, { Origin: otherOrigin }, FOREIGN],
        [{}, { Origin: "null" }, FOREIGN],
      ] as const) {
        const answer = await visitor.post(path, fields, headers);
        const html = await answer.text();
        expect([path, answer.status, answer.headers.get("Content-Type")]).toEqual([
          path,
          403,
          "text/html; charset=utf-8",
        ]);
        expect(pageText(html)).toContain(text);
        expect(select(html, "header ~ footer")).toHaveLength(1);
      }
    }
    expect((await visitor.get("/home/dashboard")).status).toBe(200);
  });
});

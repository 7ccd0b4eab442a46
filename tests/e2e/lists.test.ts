import { type Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificate } from "./support/codes";
import { logIn } from "./support/journey";
import { ADMIN } from "./support/running-portal";

const state = useBrowser();

beforeAll(() => giveCertificate(state.portal, ADMIN.email, "edi.acme.example"));

/** How the column is sorted whose heading has the focus. */
const sortOfFocused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("th")?.getAttribute("aria-sort") ?? null);

describe(`lists, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[GEN-04] who sorts by keyboard stays on the heading, and no row stays chosen", async () => {
    const page = await state.open();
    await logIn(page);
    for (const [path, column] of [
      ["/home/certificates", "Common name"],
      ["/home/sale-orders", "Company"],
      ["/home/mail", "Recipient"],
      ["/home/codes", "Company"],
      ["/home/promotion-codes", "Value"],
      ["/home/search-codes?company=acme", "City"],
      ["/home/users", "Company"],
    ] as const) {
      await page.goto(path);
      const rows = page.getByRole("radio", { name: /^Select/ });
      for (const row of await rows.all()) await row.check();
      const heading = page.getByRole("columnheader", { name: column });
      await heading.locator("a:visible, button:visible").press("Enter");
      await heading.and(page.locator("[aria-sort=ascending]")).waitFor();
      if (withScripts) expect([path, await sortOfFocused(page)]).toEqual([path, "ascending"]);
      for (const row of await rows.all()) expect(await row.isChecked()).toBe(false);
    }
  });
});

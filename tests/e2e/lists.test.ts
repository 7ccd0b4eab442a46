import { type Locator, type Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificate, giveCertificateOrder } from "./support/codes";
import { isInView, logIn } from "./support/journey";
import { ADMIN } from "./support/running-portal";

const state = useBrowser();
const files = useOpenssl();

beforeAll(() => giveCertificate(state.portal, ADMIN.email, "edi.acme.example"));

/** Returns how the column is sorted whose heading has the focus. */
const sortOfFocused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("th")?.getAttribute("aria-sort") ?? null);

/** Locates the heading of a column by which the list is sorted. */
const sorted = (page: Page, column: string) =>
  page.getByRole("columnheader", { name: column }).and(page.locator("[aria-sort=ascending]"));

const hasFocus = (control: Locator) => control.evaluate((element) => element === document.activeElement);

/** Locates the list page whose address contains `query`: the links in its headings keep the query string. */
const listWith = (page: Page, query: string) =>
  page.locator(`thead th:has([href*="${query}"], [value*="${query}"])`).first();

describe(`lists, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[GEN-04] sorting by keyboard keeps the focus on the heading and clears the chosen row", async () => {
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
      await sorted(page, column).waitFor();
      if (withScripts) expect([path, await sortOfFocused(page)]).toEqual([path, "ascending"]);
      for (const row of await rows.all()) expect(await row.isChecked()).toBe(false);
    }
  });

  test("[GEN-04] with scripts, the reader goes on at the beginning of the table after paging", async () => {
    if (!withScripts) return;
    const page = await state.open();
    await page.setViewportSize({ width: 1280, height: 700 });
    await logIn(page);
    const script = page.waitForResponse((response) => /after-load/.test(response.url()));
    await page.goto("/home/audit-trail");
    await script;
    const table = page.locator(".tbl");
    for (const [link, number] of [
      ["Next", 2],
      ["Previous", 1],
      ["Page 2", 2],
    ] as const) {
      await page.getByRole("link", { name: link, exact: true }).click();
      await page.locator(".pager [aria-current]", { hasText: String(number) }).waitFor();
      await expect.poll(() => hasFocus(table)).toBe(true);
      expect(await isInView(table.locator("caption"))).toBe(true);
      expect(await isInView(table.locator("tbody tr").first())).toBe(true);
    }
  });

  test("[MAN-03] on a phone the box that selects all orders says so and stands apart from the links that sort", async () => {
    if (!withScripts) return;
    const { pem } = files.makeCsr({ subject: "/C=DE/O=Example Parts GmbH/CN=lists.example.com" });
    await giveCertificateOrder(state.portal, ADMIN.email, pem);
    const page = await state.open();
    await page.setViewportSize({ width: 390, height: 844 });
    await logIn(page);
    await page.goto("/home/certificate-queue");
    const all = page.locator("thead .all");
    const label = all.locator("label > span");
    expect(await label.evaluate((one) => one.textContent + getComputedStyle(one, "::after").content)).toBe(
      'All" rows of this page"',
    );
    const [box, link] = await Promise.all([all.boundingBox(), page.locator("thead th a").first().boundingBox()]);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(link?.y ?? 0);
  });

  test("[GEN-04] a search keeps the focus in the field", async () => {
    const page = await state.open();
    await logIn(page);
    for (const [path, name] of [
      ["/home/sale-orders", "company"],
      ["/home/audit-trail", "text"],
      ["/home/search-codes", "company"],
      ["/home/users", "search"],
    ] as const) {
      await page.goto(path);
      const field = page.locator(`[name="${name}"]:not([type="hidden"])`);
      await field.fill("whit");
      await field.press("Enter");
      await listWith(page, `${name}=whit`).waitFor();
      expect([path, await field.inputValue()]).toEqual([path, "whit"]);
      if (withScripts) expect([path, await hasFocus(field)]).toEqual([path, true]);
    }
  });

  test("[SAL-01] [GEN-04] with scripts, sorting and resizing keep an unsent search, and Back and Forward restore what was shown", async () => {
    if (!withScripts) return;
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/sale-orders");
    const [company, status] = [page.getByLabel("Company", { exact: true }), page.getByLabel("Status", { exact: true })];
    const shown = async () => [await company.inputValue(), await status.inputValue()];
    await company.fill("whit");
    await status.selectOption("Open");
    await page.getByRole("link", { name: "Total in euro" }).click();
    await sorted(page, "Total in euro").waitFor();
    expect(await shown()).toEqual(["whit", "Open"]);
    const rows = page.getByLabel("Rows");
    await rows.focus();
    await rows.selectOption("25");
    await listWith(page, "size=25").waitFor();
    expect(await shown()).toEqual(["whit", "Open"]);
    expect(await hasFocus(rows)).toBe(true);

    await company.press("Enter");
    await listWith(page, "company=whit").waitFor();
    await page.goBack();
    await listWith(page, "company=whit").waitFor({ state: "detached" });
    await expect.poll(shown).toEqual(["", ""]);
    await page.goForward();
    await listWith(page, "company=whit").waitFor();
    await expect.poll(shown).toEqual(["whit", "Open"]);
  });
});

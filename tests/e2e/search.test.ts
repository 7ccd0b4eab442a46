import { type Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificate, giveOrder } from "./support/codes";
import { heading, logIn } from "./support/journey";
import { ADMIN } from "./support/running-portal";

const state = useBrowser();

let certificate = 0;
let order = 0;
beforeAll(async () => {
  certificate = await giveCertificate(state.portal, ADMIN.email, "edi.quokka.example");
  await giveCertificate(state.portal, ADMIN.email, "as2.quokka.example");
  order = await giveOrder(state.portal, ADMIN.email);
});

const field = (page: Page) => page.locator(".find input");
const suggestions = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });

/** Opens a page on which the script of the search runs. */
async function openWithKeys(path: string): Promise<Page> {
  const page = await state.open();
  await logIn(page);
  const script = page.waitForResponse((response) => /after-load/.test(response.url()));
  await page.goto(path);
  await script;
  await page.locator("html.ready").waitFor();
  return page;
}

/** Presses `/` until the field has the focus: the script may still be starting. */
async function pressSlash(page: Page): Promise<void> {
  await expect.poll(() => page.keyboard.press("/").then(() => isFocused(page)), { timeout: 5000 }).toBe(true);
}

const isFocused = (page: Page) => field(page).evaluate((element) => element === document.activeElement);

describe(`search, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[SRC-03] the field in the header leads to the results, and an exact number to its page", async () => {
    const page = await state.open();
    await logIn(page);
    await field(page).fill("QUOKKA");
    await field(page).press("Enter");
    await heading(page, /2 results for “QUOKKA”/);
    const result = page.getByRole("link", { name: "edi.quokka.example" });
    expect(await result.getAttribute("href")).toBe(`/home/certificate-details/${certificate}`);
    await page.goto("/home/dashboard");
    await field(page).fill(`so-${order}`);
    await field(page).press("Enter");
    await heading(page, "Sale Order Details");
    expect(new URL(page.url()).pathname).toBe("/home/sale-orders/details");
  });

  test("[SRC-03] nothing found, short words and the way back, by keyboard", async () => {
    const page = await state.open();
    await logIn(page);
    await field(page).fill("nowhere-to-be-found");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await heading(page, /Nothing found for/);
    await page.getByRole("link", { name: "Clear search" }).click();
    await heading(page, "Search");
    const own = page.getByRole("searchbox", { name: "Search everything" });
    await own.fill("ab");
    await own.press("Enter");
    await page.getByText("There is a problem").waitFor();
    expect(await own.inputValue()).toBe("ab");
    expect(await own.getAttribute("aria-invalid")).toBe("true");
  });

  test("[SRC-03] at 390 px the field fits, and the page does not scroll sideways", async () => {
    const page = await state.open();
    await page.setViewportSize({ width: 390, height: 844 });
    await logIn(page);
    await page.getByText("Menu", { exact: true }).click();
    await field(page).fill("quokka");
    const box = await field(page).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
    expect(box?.width).toBeGreaterThan(200);
    await field(page).press("Enter");
    await heading(page, /2 results/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  test("[SRC-03] with scripts, the key / moves to the field, and suggestions are chosen by keyboard", async () => {
    if (!withScripts) return;
    const page = await openWithKeys("/home/dashboard");
    await page.setViewportSize({ width: 800, height: 800 }); // the field is in the closed menu
    await pressSlash(page);
    await page.keyboard.type("edi.quokka");
    await suggestions(page).waitFor();
    expect(await field(page).getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowDown");
    const active = (await field(page).getAttribute("aria-activedescendant")) ?? "none";
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await suggestions(page).count()).toBe(0);
    expect(await field(page).inputValue()).toBe("edi.quokka");
    await field(page).fill(`SO-${order}`);
    await suggestions(page).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await heading(page, "Sale Order Details");
  });

  test("[SRC-03] with scripts, the key / is typed into fields, and can be switched off", async () => {
    if (!withScripts) return;
    const page = await openWithKeys("/home/certificates");
    await pressSlash(page);
    const search = page.locator('[name="search"]');
    await search.focus();
    await page.keyboard.press("/");
    expect([await search.inputValue(), await isFocused(page)]).toEqual(["/", false]);
    await page.goto("/home/search");
    await page.getByRole("checkbox", { name: /^Single keys work/ }).uncheck();
    const again = page.waitForResponse((response) => /after-load/.test(response.url()));
    await page.goto("/home/certificates");
    await again;
    await page.locator("html.ready").waitFor();
    await page.keyboard.press("/");
    expect(await isFocused(page)).toBe(false);
  });
});

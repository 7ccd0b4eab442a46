import { readFile } from "node:fs/promises";
import { type Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { poppler } from "../support/pdf";
import { useBrowser, withScripts } from "./support/browser";
import { giveOrders } from "./support/codes";
import { completeRegistration, CUSTOMER, fill, heading, logIn, press, register } from "./support/journey";

const state = useBrowser();
let orders: number[] = [];

beforeAll(async () => {
  const page = await state.open();
  await register(page, CUSTOMER);
  await completeRegistration(page);
  orders = await giveOrders(state.portal, CUSTOMER.email, ["Alpha Parts", "=Beta Parts", "Gamma Parts"]);
});

const tick = (page: Page, index: number) => page.getByLabel(`Select order SO-${orders[index]}`);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const isBarred = async (page: Page, name: string) =>
  (await button(page, name).getAttribute("aria-disabled")) === "true";

/** Returns whether View Details and Export are shown as disabled. Scripts update them shortly after a box is ticked. */
const barred = (page: Page) => Promise.all([isBarred(page, "View Details"), isBarred(page, "Export")]);

async function openList(page: Page): Promise<void> {
  await page.getByRole("link", { name: "View Sales Orders" }).click();
  await heading(page, "Sales Orders");
}

describe(`sales orders, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[SAL-01] [SAL-02] staff search orders, tick several and save them as a file", async () => {
    const page = await state.open();
    await logIn(page);
    await openList(page);
    await fill(page, { company: "parts", status: "Open" });
    await press(page, "Search");
    await page.waitForURL(/company=parts/); // without the search there would also be three orders
    await page.getByText("1 to 3 of 3").waitFor();
    if (withScripts) {
      await expect.poll(() => barred(page)).toEqual([true, true]);
    } else {
      await press(page, "Export");
      await page.getByText("Select the sales orders to export first.").waitFor();
    }
    await tick(page, 0).check();
    await tick(page, 1).check();
    if (withScripts) {
      await expect.poll(() => barred(page)).toEqual([true, false]);
    }
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Export")]);
    expect(file.suggestedFilename()).toBe("sales-orders.csv");
    const text = await readFile(await file.path(), "utf8");
    expect(text).toContain("Alpha Parts");
    expect(text).toContain("'=Beta Parts");
    expect(text).not.toContain("Gamma Parts");
    const [all] = await Promise.all([page.waitForEvent("download"), press(page, "Export all that match")]);
    expect((await readFile(await all.path(), "utf8")).trim().split("\r\n")).toHaveLength(4);
  });

  test("[SAL-03] a printed order has its values, and issuer and time on each page", async () => {
    const page = await state.open();
    await logIn(page);
    await page.goto(`/home/sale-orders/details?order=${orders[0]}`);
    if (withScripts) await page.locator("html.ready").waitFor();
    const whole = await page.pdf({ preferCSSPageSize: true });
    expect(poppler("pdfinfo", whole)).toMatch(/Pages:\s+1\n/);
    const text = poppler("pdftotext", whole, ["-layout"]);
    expect(text).toMatch(/Company +Alpha Parts/);
    expect(text).toMatch(/Status +Open\n/);
    expect(text).not.toMatch(
      /Payment (total|date)|Remarks|Promotion|optional|Copy and paste|DD\/MM|Required when|Update|Log out|–/,
    );

    await page.locator("main").evaluate((main) => {
      for (const _ of [1, 2]) main.append(main.cloneNode(true));
    });
    const several = await page.pdf({ preferCSSPageSize: true });
    const pages = poppler("pdftotext", several, ["-layout"]).split("\f");
    expect(pages.length).toBeGreaterThan(2); // the file ends with a form feed
    const issuedAt = withScripts ? /Printed \d\d\/\d\d\/\d{4}.*UTC/ : /As of \d\d\/\d\d\/\d{4}.*UTC/;
    for (const printed of pages.slice(0, -1)) {
      expect(printed).toContain("Example Association Limited, Supply Chain CA");
      expect(printed).toMatch(issuedAt);
    }
  });

  test("[SAL-01] [GEN-01] a day is typed as DD/MM/YYYY in a browser of any language; with scripts a calendar fills the field", async () => {
    const page = await state.open();
    await logIn(page);
    await openList(page);
    await fill(page, { from: "31/02/2026" });
    await press(page, "Search");
    await page.getByText("31/02/2026 is not a day of the calendar.").first().waitFor();
    const from = page.locator('[name="from"]');
    expect(await from.inputValue()).toBe("31/02/2026");
    await from.fill("30/10/2026");
    const calendar = page.getByRole("button", { name: /^Open the calendar/ }).first();
    expect(await calendar.isVisible()).toBe(withScripts);
    if (withScripts) {
      await calendar.click();
      const native = page.locator(".picker input").first();
      expect(await native.inputValue()).toBe("2026-10-30");
      await native.fill("2026-11-01");
      expect(await from.inputValue()).toBe("01/11/2026");
    }
    await press(page, "Search");
    await page.waitForURL(/from=(30%2F10|01%2F11)%2F2026/);
    await page.getByText("1 to 3 of 3").waitFor();
    await page.goto("/home/sale-orders?from=2026-11-01");
    expect(await from.inputValue()).toBe("01/11/2026");
  });

  test("[SAL-01] [SAL-03] [GEN-05] staff open an order, save its invoice and payment, and return to the list as they left it", async () => {
    const page = await state.open();
    await logIn(page);
    await openList(page);
    await fill(page, { company: "gamma" });
    await press(page, "Search");
    await page.getByText("1 to 1 of 1").waitFor();
    await tick(page, 2).check();
    await press(page, "View Details");
    await heading(page, "Sale Order Details");

    const total = page.locator('[name="invoiceTotal"]');
    const isBlocked = await total.evaluate(
      (field) => !field.dispatchEvent(new Event("paste", { bubbles: true, cancelable: true })),
    );
    expect(isBlocked).toBe(withScripts);
    await total.pressSequentially("1e9");
    expect(await total.inputValue()).toBe(withScripts ? "19" : "1e9");
    if (withScripts) await page.getByText("Letters cannot be typed here.").waitFor();
    // No character is dropped, because that would leave another amount.
    for (const typed of ["870,00", "1.2.5", "123456789.999"]) {
      await total.fill("");
      await total.pressSequentially(typed);
      await press(page, "Update");
      await page.getByRole("alert").getByText("Enter an amount in euro").waitFor();
      expect(await total.inputValue()).toBe(typed);
    }
    await total.fill("");
    await total.pressSequentially("-5");
    await press(page, "Update");
    await page.getByText("Invoice total: €0.00 is not the order total of €300.00.").waitFor();
    await press(page, "Save");
    await page.getByText("The sales order has been saved. Its status is Open.").waitFor();
    expect(await total.inputValue()).toBe("0.00");

    await fill(page, { invoiceNumber: "R-1", invoiceTotal: "300.00", invoiceDate: "2026-11-02" });
    await press(page, "Update");
    await page.getByText("The sales order has been saved. Its status is Invoiced.").waitFor();
    // The form shows what is stored now. Otherwise the next Update would store the old values again.
    const shown = await Promise.all([total.inputValue(), page.locator('select[name="status"]').inputValue()]);
    expect(shown).toEqual(["300.00", "Invoiced"]);
    await fill(page, { status: "Paid" });
    await press(page, "Update");
    await page.getByText("The sales order has been saved. Its status is Paid.").waitFor();
    expect(await page.locator('[name="paymentTotal"]').inputValue()).toBe("300.00");

    await page.locator("main form").getByRole("link", { name: "Back", exact: true }).click();
    await heading(page, "Sales Orders");
    expect(await page.getByLabel("Company", { exact: true }).inputValue()).toBe("gamma");
    expect(await tick(page, 2).isChecked()).toBe(true);
    expect(await page.getByRole("row").filter({ hasText: "Gamma Parts" }).innerText()).toContain("Paid");
  });

  test("[SAL-03] the second of two windows is told what the first one saved, keeps what was typed, and can replace it", async () => {
    const page = await state.open();
    await logIn(page);
    const details = `/home/sale-orders/details?order=${orders[0]}`;
    const second = await page.context().newPage();
    await page.goto(details);
    await second.goto(details);
    const saved = "The sales order has been saved. Its status is Open.";
    await fill(page, { remarks: "First" });
    await press(page, "Update");
    await page.getByText(saved).waitFor();
    await fill(second, { remarks: "Second" });
    await press(second, "Update");
    await second.locator("p.err").getByText("Stored now: 'First'. Your entry is kept.").waitFor();
    const remarks = second.locator('[name="remarks"]');
    expect(await remarks.inputValue()).toBe("Second");
    await press(second, "Update");
    await second.getByText(saved).waitFor();
    expect(await remarks.inputValue()).toBe("Second");
  });

  test("[SAL-01] [SAL-02] ticks are kept over pages, sorting, sizes and details; they are counted and can be cleared", async () => {
    const companies = Array.from({ length: 11 }, (_, index) => `Tick ${index + 10}`);
    const many = await giveOrders(state.portal, CUSTOMER.email, companies);
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/sale-orders?company=tick&sort=orderNumber.asc");
    const box = (index: number) => page.getByLabel(`Select order SO-${many[index]}`);
    const count = (selected: number) => page.getByText(`${selected} selected`, { exact: true }).waitFor();
    /** Presses a control that is a link with scripts, and a button without them. */
    const go = (name: string | RegExp) =>
      page.getByRole(withScripts ? "link" : "button", { name, exact: true }).click();

    await count(0);
    await box(0).check();
    await box(1).check();
    await go("Next");
    await count(2);
    await box(10).check();
    await go("Previous");
    await count(3);
    expect(await box(1).isChecked()).toBe(true);
    await go(/^Number/);
    await page.getByText("sorted by number, descending").waitFor();
    await count(3);
    await box(1).uncheck();
    await page.getByLabel("Rows").selectOption("25");
    if (!withScripts) await page.locator("main").getByRole("button", { name: "Apply" }).click();
    await page.getByText("1 to 11 of 11").waitFor();
    await count(2);
    await box(5).check();
    await go(`SO-${many[7]}`);
    await heading(page, "Sale Order Details");
    await page.locator("main form").getByRole("link", { name: "Back", exact: true }).click();
    await heading(page, "Sales Orders");
    await count(3);
    if (withScripts) {
      await box(6).check();
      await count(4);
      await page.reload();
      await count(4);
      await box(6).uncheck();
    }
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Export")]);
    const text = await readFile(await file.path(), "utf8");
    expect(text.match(/Tick \d\d/g)?.toSorted()).toEqual(["Tick 10", "Tick 15", "Tick 20"]);
    await page.getByRole("link", { name: "Clear selection" }).click();
    await count(0);
    expect(await page.locator("input[name=id]:checked").count()).toBe(0);
  });

  test("[SAL-01] [GEN-04] on a narrow screen the sort buttons look like links and are large enough for a finger", async () => {
    const page = await state.open();
    await logIn(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto("/home/sale-orders");
    const sorting = page.locator("thead").getByRole(withScripts ? "link" : "button");
    expect(await sorting.count()).toBeGreaterThan(5);
    for (const one of await sorting.all()) {
      const { height, line } = await one.evaluate((element) => ({
        height: element.getBoundingClientRect().height,
        line: getComputedStyle(element).textDecorationLine,
      }));
      expect(height).toBeGreaterThan(36);
      expect(line).toBe((await one.innerText()).startsWith("Date") ? "none" : "underline");
    }
  });

  test("[SAL-03] going back from the question about a change restores the typed values and saves nothing", async () => {
    const page = await state.open();
    await logIn(page);
    const id = (await giveOrders(state.portal, CUSTOMER.email, ["Question Parts"]))[0];
    await page.goto(`/home/sale-orders/details?order=${id}`);
    const typed = { status: "Cancelled", remarks: "Nobody pays", paymentDate: "01/11/2026", paymentTotal: "1.00" };
    await fill(page, typed);
    await press(page, "Update");
    await page.getByText("Are you sure you wish to cancel this order").waitFor();
    await press(page, "Back");
    await heading(page, "Sale Order Details");
    for (const [name, value] of Object.entries(typed))
      await expect.poll(() => page.locator(`[name="${name}"]`).inputValue()).toBe(value);
    await fill(page, { status: "Open", paymentDate: "", paymentTotal: "" });
    await press(page, "Update");
    await page.getByText("The sales order has been saved. Its status is Open.").waitFor();
    expect(await page.locator('[name="remarks"]').inputValue()).toBe("Nobody pays");
  });
});

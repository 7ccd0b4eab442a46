import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { completeRegistration, CUSTOMER, fill, heading, linkFor, logIn, press, register } from "./support/journey";

const state = useBrowser();

const summary = (page: Page) => page.locator("aside").innerText();

/** Records a payment of the order with today's date, as staff do. */
async function recordPayment(page: Page, orderNumber: string): Promise<void> {
  await page.getByRole("link", { name: "View ID Codes" }).click();
  await heading(page, "Entity Registration");
  await page.getByRole("link", { name: orderNumber }).click();
  await heading(page, "Sale Order Details");
  await fill(page, { status: "Paid", paymentDate: new Date().toISOString().slice(0, 10) });
  await press(page, "Update");
  await page.getByText("The sales order has been saved. Its status is Paid.").waitFor();
}

describe(`ID codes, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[CPO-01] [CPO-02] [CPO-03] [CPO-04] [COD-01] a company orders codes and can register entities once they are paid", async () => {
    const page = await state.open();
    await register(page, CUSTOMER);
    await completeRegistration(page);
    await page.getByRole("link", { name: "Order & Manage Your ID Codes" }).click();
    await heading(page, "Entity Registration");
    await page.getByText("No records found").waitFor();
    await page.getByRole("link", { name: "Purchase New ID Code" }).click();
    await heading(page, "Purchase ID codes");
    await press(page, "Confirm");

    await heading(page, "Purchase ID codes: order");
    expect(await summary(page)).not.toContain("Total order cost");
    await fill(page, { purchaseOrderNumber: "PO-4711", productType: "OSCAR Code Basic, €300.00", quantity: "1000" });
    await fill(page, { termsAndConditionsAccepted: true });
    await press(page, "Next");
    await page.getByText("There is a problem").waitFor();
    expect(await page.getByRole("alert").innerText()).toContain("It has been set to 1.");
    expect(await page.locator('[name="quantity"]').inputValue()).toBe("1");
    expect(await summary(page)).toMatch(/Total order cost\s+€300\.00/);

    await fill(page, { quantity: "3" });
    if (!withScripts) await press(page, "Update total");
    await page.locator("aside").getByText("€900.00").waitFor();
    await press(page, "Next");

    await heading(page, "Purchase Order");
    expect(await summary(page)).toMatch(/VAT amount\s+€0\.00\s+Total\s+€900\.00\s+Reverse charge/);
    await fill(page, { country: "United Kingdom" });
    if (!withScripts) await press(page, "Update country");
    await page.getByText("VAT amount (20%)").waitFor();
    await fill(page, { vat: "GB123456789" });
    await press(page, "Complete Order");
    await heading(page, "Order complete");
    expect(await page.title()).toMatch(/Order complete - Purchase ID codes - step 4 of 4/);
    expect(await page.locator("main").innerText()).toMatch(/Total Order Cost\s+€1,080\.00/);
    const orderNumber = /SO-\d+/.exec(await page.locator("main").innerText())?.[0] ?? "";
    await page.goBack();
    await page.getByRole("link", { name: "ID Codes", exact: true }).click();
    const order = page.getByRole("row").filter({ hasText: orderNumber });
    expect(await order.innerText()).toContain("Open");
    expect(await page.getByRole("link", { name: /^Register Entity/ }).count()).toBe(0);

    const admin = await state.open();
    await logIn(admin);
    await recordPayment(admin, orderNumber);

    await page.goto(await linkFor(state.portal, CUSTOMER.email, "/home/", "available"));
    expect(await order.innerText()).toContain("Paid");
    const registration = page.getByRole("link", { name: "Register Entity of the type OSCAR Code Basic" });
    expect(await registration.getAttribute("href")).toContain("type=Basic");
  });
});

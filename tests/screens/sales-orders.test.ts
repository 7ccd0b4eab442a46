import { type Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { giveMaintenance, giveOrder, giveOrders } from "../e2e/support/codes";
import { CUSTOMER, fill, heading, press } from "../e2e/support/journey";
import { administrator, registered } from "./support/people";
import { checkScreens, go, refused, type Screens } from "./support/screens";

const state = useBrowser();
let admin: Page;
let orders: number[] = [];
let maintenance = 0;
let invoiced = 0;

const list = "/home/sale-orders";

beforeAll(async () => {
  admin = await administrator(state);
  await registered(state);
  const companies = Array.from({ length: 12 }, (_, index) => `Example Parts & Söhne ${index} GmbH`);
  orders = await giveOrders(state.portal, CUSTOMER.email, companies);
  maintenance = await giveMaintenance(state.portal, CUSTOMER.email, 12);
  invoiced = await giveOrder(state.portal, CUSTOMER.email);
  await admin.goto(`${list}/details/invoice?order=${invoiced}`);
  await press(admin, "Issue invoice");
  await admin.getByText(/has been issued\./).waitFor();
});

const details = async (index: number) => {
  await admin.goto(`${list}/details?order=${orders[index]}`);
  await heading(admin, "Sale Order Details");
  return admin;
};

/** The screens of the administration of sales orders. */
const screens: Screens = {
  "sales orders": go(() => admin, list),
  "sales orders, nothing found": go(() => admin, `${list}?status=Cancelled&company=nobody`),
  "sales orders, search refused": go(() => admin, `${list}?from=31/02/2026&orderNumber=x`),
  "sales orders, nothing to export": async () => {
    await admin.goto(`${list}?company=nobody`);
    await press(admin, "Export all that match");
    await admin.getByText("There is nothing to export").waitFor();
    return admin;
  },
  "sale order details": () => details(0),
  "sale order details refused": async () => {
    const page = await details(0);
    await fill(page, { status: "Select status", invoiceTotal: "1,5", paymentTotal: "x" });
    return refused(page, "Update");
  },
  "sale order details, question about the credit note": async () => {
    await admin.goto(`${list}/details?order=${invoiced}`);
    await fill(admin, { status: "Cancelled", remarks: "Ordered twice" });
    await press(admin, "Update");
    await admin.getByRole("dialog", { name: "Cancel order" }).waitFor();
    return admin;
  },
  "sale order details, question about a cancellation": async () => {
    const page = await details(2);
    await fill(page, { status: "Cancelled", remarks: "Ordered twice" });
    await press(page, "Update");
    await page.getByRole("dialog", { name: "Cancel order" }).waitFor();
    return page;
  },
  "sale order details, cancelled": async () => {
    const page = await details(1);
    if ((await page.locator('[name="status"]').count()) > 0) {
      await fill(page, { status: "Cancelled", remarks: "Ordered twice" });
      await press(page, "Update");
      await press(page, "Cancel order");
      await page.getByText("Its status is Cancelled.").waitFor();
    }
    return details(1);
  },
  "sale order details of a maintenance order": async () => {
    await admin.goto(`${list}/details?order=${maintenance}`);
    await admin.getByText("Code Maintenance").first().waitFor();
    return admin;
  },
};

checkScreens(screens);

test("[SAL-01] [GEN-04] on a narrow screen the list can be sorted and remains a table", async () => {
  await admin.goto(list);
  await admin.setViewportSize({ width: 390, height: 900 });
  const byCompany = admin.getByRole("columnheader", { name: "Company" }).getByRole("link");
  const box = await byCompany.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390 && box.height >= 24).toBe(true);
  await byCompany.click();
  await admin.getByRole("columnheader", { name: "Company" }).and(admin.locator("[aria-sort=ascending]")).waitFor();
  expect(new URL(admin.url()).searchParams.get("sort")).toBe("company.asc");
  // Chromium keeps the roles of a stacked table by itself. Other browsers need the explicit roles.
  const rows = admin.locator(".tbl [role=table] > [role=rowgroup] > [role=row]");
  expect(await rows.count()).toBe(11);
  for (const heading of await admin.locator(".tbl thead a").all()) expect(await heading.isVisible()).toBe(true);
  expect(await rows.last().locator("> [role=rowheader]").count()).toBe(1);
  expect(await rows.last().locator("> [role=cell]").count()).toBe(9);
});

test("[SAL-01] the number column is narrow and leaves room for email addresses", async () => {
  await admin.setViewportSize({ width: 1280, height: 900 });
  await admin.goto(list);
  const number = await admin.locator("tbody th").first().boundingBox();
  expect(number?.width).toBeLessThan(120);
});

import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { fill, heading, press } from "../e2e/support/journey";
import { administrator, registered } from "./support/people";
import { checkScreens, go, idOf, refused, type Screens } from "./support/screens";

const state = useBrowser();
let customer: Page;
let admin: Page;

beforeAll(async () => {
  admin = await administrator(state);
  customer = await registered(state);
});

const purchasing = async () => {
  await customer.goto("/home/code/purchase/contact-details");
  return customer;
};
const ordering = async () => {
  const page = await purchasing();
  await press(page, "Confirm");
  await heading(page, "Purchase ID codes: order");
  return page;
};
const ordered = async () => {
  const page = await ordering();
  await fill(page, { purchaseOrderNumber: "PO-4711", productType: "OSCAR Code Full, €900.00", quantity: "12" });
  await fill(page, { termsAndConditionsAccepted: true });
  return page;
};
const invoiced = async () => {
  const page = await ordered();
  await press(page, "Next");
  await heading(page, "Purchase Order");
  return page;
};
const sale = async () => {
  await admin.goto(await idOf(admin, "SO-", "/home/codes"));
  return admin;
};

/** The screens of a purchase of ID codes, for customers, and of its payment, for staff. */
const screens: Screens = {
  "codes, none yet": go(() => customer, "/home/codes"),
  "purchase of codes, contact details": purchasing,
  "purchase of codes, order": ordering,
  "purchase of codes, order refused": async () => refused(await ordering(), "Next"),
  "purchase of codes, price": async () => {
    const page = await ordered();
    if (await page.getByRole("button", { name: "Update total" }).isVisible()) await press(page, "Update total");
    await page.getByText("€10,800.00").waitFor();
    return page;
  },
  "purchase of codes, invoice address": invoiced,
  "purchase of codes, order complete": async () => {
    const page = await invoiced();
    await press(page, "Complete Order");
    await heading(page, "Order complete");
    return page;
  },
  "codes ordered": go(() => customer, "/home/codes"),
  "orders of codes for staff": go(() => admin, "/home/codes"),
  "sales order": sale,
  "sales order, payment refused": async () => {
    const page = await sale();
    await fill(page, { status: "Select status" });
    return refused(page, "Update");
  },
  "codes available": async () => {
    const page = await sale();
    await fill(page, { status: "Paid" });
    await press(page, "Update");
    await page.getByText("The sales order has been saved.").waitFor();
    await customer.goto("/home/codes");
    return customer;
  },
};

checkScreens(screens);

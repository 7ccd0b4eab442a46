import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { giveOrder } from "../e2e/support/codes";
import { CUSTOMER, press } from "../e2e/support/journey";
import { administrator, registered } from "./support/people";
import { checkScreens, go, refused, type Screens } from "./support/screens";

const state = useBrowser();
let customer: Page;
let admin: Page;
let open = 0;
let invoiced = 0;

beforeAll(async () => {
  admin = await administrator(state);
  customer = await registered(state);
  const invoiceAddress = {
    company: "Gesellschaft für Kraftfahrzeugzulieferteile mbH & Co. KG",
    name: "株式会社サンプル",
  };
  open = await giveOrder(state.portal, CUSTOMER.email, { invoiceAddress });
  invoiced = await giveOrder(state.portal, CUSTOMER.email);
  await admin.goto(`/home/sale-orders/details/invoice?order=${invoiced}`);
  await press(admin, "Issue invoice");
  await admin.getByText(/has been issued\./).waitFor();
});

const creditNote = () => go(() => admin, `/home/sale-orders/details/invoice?order=${invoiced}`)();

/** The screens about invoices, for staff and customers. */
const screens: Screens = {
  "sale order without an invoice": () => go(() => admin, `/home/sale-orders/details?order=${open}`)(),
  "sale order with an invoice": () => go(() => admin, `/home/sale-orders/details?order=${invoiced}`)(),
  "issue invoice": () => go(() => admin, `/home/sale-orders/details/invoice?order=${open}`)(),
  "issue credit note": creditNote,
  "issue credit note, refused": async () => refused(await creditNote(), "Issue credit note"),
  "code orders with an invoice": go(() => customer, "/home/codes"),
};

checkScreens(screens);

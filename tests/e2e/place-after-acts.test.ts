import { type Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { poppler } from "../support/pdf";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificateOrder } from "./support/codes";
import {
  completeRegistration,
  CUSTOMER,
  expectSummaryInView,
  fill,
  heading,
  isInView,
  logIn,
  press,
  register,
  verifyEmail,
} from "./support/journey";

const state = useBrowser();
const files = useOpenssl();

let visitor: Page;
let customer: Page;
let admin: Page;
let order: string;

beforeAll(async () => {
  [visitor, customer, admin] = [await state.open(), await state.open(), await state.open()];
  await logIn(admin);
  await register(customer, CUSTOMER);
  await completeRegistration(customer);
  await verifyEmail(customer, state.portal, CUSTOMER);
  const { pem } = files.makeCsr({ subject: "/C=DE/O=Example Parts GmbH/CN=place.example.com" });
  order = `/home/certificate-queue/${await giveCertificateOrder(state.portal, CUSTOMER.email, pem)}`;
});

/** A form that is sent as it is, or with these fields, and refused. */
interface RefusedForm {
  who: () => Page;
  path: string;
  button: string;
  fields?: Record<string, string>;
}

const REFUSED: RefusedForm[] = [
  { who: () => visitor, path: "/login", button: "Login" },
  { who: () => visitor, path: "/register", button: "Register" },
  { who: () => visitor, path: "/check-csr", button: "Check the CSR" },
  { who: () => customer, path: "/home/user-management", button: "Save", fields: { position: "" } },
  { who: () => admin, path: "/home/users/new", button: "Make account" },
  { who: () => admin, path: "/home/users/import", button: "Check the file" },
];

describe(`the place after an act, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[GEN-02] after a refused form the summary of the errors is in view and has the focus", async () => {
    for (const { who, path, button, fields } of REFUSED) {
      const page = who();
      await page.goto(path);
      if (fields) await fill(page, fields);
      await press(page, button);
      await page.getByText("There is a problem").waitFor();
      await expectSummaryInView(page);
    }
  });

  test("[GEN-02] after long notes about a certificate are saved the message is in view and its card has the focus", async () => {
    await customer.setViewportSize({ width: 1280, height: 900 });
    await customer.goto(order.replace("certificate-queue", "certificate-details"));
    await customer.getByText("Change notes and tags").click();
    await fill(customer, { notes: "A line\n".repeat(20) });
    await press(customer, "Save");
    const message = customer.locator("#where-used").getByText("Notes and tags have been saved.");
    await message.waitFor();
    const hasFocus = () => customer.locator("#where-used").evaluate((one) => one === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    expect(await isInView(message)).toBe(true);
  });

  test("[GEN-02] after an act far down a long page its result is in view and has the focus", async () => {
    await admin.setViewportSize({ width: 390, height: 844 });
    const acts: { fields: Record<string, string>; button: string; at: string; text: string }[] = [
      { fields: {}, button: "Take", at: "#work", text: "You work on this order now." },
      { fields: { comment: "Called." }, button: "Add comment", at: "#comments", text: "The comment was added." },
    ];
    for (const act of acts) {
      await admin.goto(order);
      await fill(admin, act.fields);
      await press(admin, act.button);
      const result = admin.locator(act.at).getByText(act.text);
      await result.waitFor();
      const hasFocus = () => admin.locator(act.at).evaluate((one) => one === document.activeElement);
      await expect.poll(hasFocus).toBe(true);
      expect(await isInView(result)).toBe(true);
    }
  });

  test("[PUR-02] a phone shows the first field of an order at once", async () => {
    await customer.setViewportSize({ width: 390, height: 844 });
    await customer.goto("/home/certificate/purchase/contact-details");
    await heading(customer, "Purchase Certificate");
    const { y = 0, height = 0 } = (await customer.locator('[name="name"]').boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(844);
  });

  test("[MAN-03] the page of an order in the queue is printed on one sheet", async () => {
    await admin.goto(order);
    if (withScripts) await admin.locator("html.ready").waitFor();
    const sheet = await admin.pdf({ preferCSSPageSize: true });
    expect(poppler("pdfinfo", sheet)).toMatch(/Pages:\s+1\n/);
    expect(poppler("pdftotext", sheet)).not.toContain("Not checked yet");
  });

  test("[CER-03] on paper the hint below the notes is as small as the notes", async () => {
    await customer.goto(order.replace("certificate-queue", "certificate-details"));
    await customer.emulateMedia({ media: "print" });
    const sizeOf = (selector: string) =>
      customer.locator(selector).evaluate((one) => Math.round(parseFloat(getComputedStyle(one).fontSize)));
    expect(await sizeOf("#where-used > .hint")).toBe(await sizeOf("#where-used .lines"));
    await customer.emulateMedia({ media: null });
  });

  test("[PUR-10] an order is cancelled from its page, which is shown again", async () => {
    await customer.goto("/home/orders");
    await customer.getByRole("link", { name: "SO-1001" }).click();
    await heading(customer, "Order SO-1001");
    const place = customer.url();
    await customer.getByRole("link", { name: "Cancel order…" }).click();
    const form = customer.locator("#cancel-order");
    await form.waitFor();
    await expect.poll(() => isInView(form.getByLabel("Reason"))).toBe(true);
    await form.getByRole("button", { name: "Cancel order" }).click();
    await customer.getByText("Are you sure you wish to cancel order SO-1001?").waitFor();
    await customer.locator(".btn.danger").click();
    await customer.getByText("Order SO-1001 has been cancelled.").waitFor();
    expect(customer.url()).toBe(place);
  });
});

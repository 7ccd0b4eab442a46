import { type Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificateOrder } from "./support/codes";
import {
  completeRegistration,
  CUSTOMER,
  expectSummaryInView,
  fill,
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
});

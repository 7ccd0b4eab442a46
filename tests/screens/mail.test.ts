import { type Page } from "playwright";
import { beforeAll, vi } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { CUSTOMER, register } from "../e2e/support/journey";
import { administrator } from "./support/people";
import { checkScreens, go, idOf, type Screens } from "./support/screens";

/** No mail server answers at this address, so every message waits. */
const state = useBrowser({ SMTP_URL: "smtp://127.0.0.1:1" });
let admin: Page;

beforeAll(async () => {
  admin = await administrator(state);
  await register(await state.open(), CUSTOMER);
});

const preview = (kind: string) => async () => {
  await admin.goto(`/home/mail/templates/${kind}`);
  await admin.frameLocator("iframe").getByText("Kind regards").waitFor();
  return admin;
};

const screens: Screens = {
  "e-mail queue": async () => {
    const failing = admin.getByText("ECONNREFUSED").first();
    await vi.waitFor(async () => {
      await admin.goto("/home/mail");
      await failing.waitFor({ timeout: 1000 });
    }, 30_000);
    return admin;
  },
  "e-mail queue, nothing chosen": async () => {
    await admin.goto("/home/mail");
    // With scripts, the button asks for a choice before it sends the form, so the form is submitted directly.
    await admin.locator("#mail-queue").evaluate((form: HTMLFormElement) => form.submit());
    await admin.getByText("There is a problem").waitFor();
    return admin;
  },
  "e-mail queue, nothing found": go(() => admin, "/home/mail?state=rejected"),
  "message templates": go(() => admin, "/home/mail/templates"),
  "template of a message": preview("order-confirmation"),
  "template of a message, one example": preview("certificate-revoked"),
  "account of a user whose messages fail": async () => {
    await admin.goto(await idOf(admin, CUSTOMER.email, "/home/users"));
    await admin.getByText("See the messages").waitFor();
    return admin;
  },
};

checkScreens(screens);

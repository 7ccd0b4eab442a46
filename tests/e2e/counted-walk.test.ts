import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Locator, type Page } from "playwright";
import { afterAll, describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { writeConfig } from "../support/template";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificateOrder, giveCheckedOrders } from "./support/codes";
import { completeRegistration, CUSTOMER, register, verifyEmail } from "./support/journey";
import { memberOfStaff } from "./support/staff";

const folder = mkdtempSync(join(tmpdir(), "marque-counted-"));
afterAll(() => rmSync(folder, { recursive: true }));

const state = useBrowser({ PORTAL_CONFIG: writeConfig(folder, "strict") });
const files = useOpenssl();

const HOSTS = ["one", "two"].map((name) => `${name}.counted.example.com`);
/** More than one page of the queue. */
const CHECKED = 20;
const PAGE = 10;
const CHECKS = ["Called back through the switchboard", "Trade register seen", "Agrees with the register"];

/** Returns a way to click that counts, and the number of clicks. A link in a closed menu cannot be clicked, so nothing is left out. */
function counting() {
  const counted = { clicks: 0 };
  const click = async (target: Locator) => {
    counted.clicks += 1;
    await target.click();
  };
  return { counted, click };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const csrOf = (host: string) =>
  files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${host}`, san: [`DNS:${host}`] }).pem;

describe(`two officers' walk from the start page, clicks counted, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[MAN-03] an order is checked with at most five clicks and no typing, and a second officer approves all checked orders with at most twelve", async () => {
    const customer = await state.open();
    await register(customer, CUSTOMER);
    await completeRegistration(customer);
    await verifyEmail(customer, state.portal, CUSTOMER);
    for (const host of HOSTS) await giveCertificateOrder(state.portal, CUSTOMER.email, csrOf(host));
    const officer = await memberOfStaff(state, "Olga", "Registration officer");
    const first = counting();
    await first.click(officer.getByRole("link", { name: /^Queue/ }).first());
    await first.click(officer.getByRole("link", { name: HOSTS[0] ?? "" }));
    for (const [index, host] of HOSTS.entries()) {
      await officer.locator("dl").getByText(host).first().waitFor();
      const { counted, click } = counting();
      for (const check of CHECKS) await click(officer.getByRole("radio", { name: check }));
      await click(button(officer, "Record and next"));
      await officer
        .getByText(index === 0 ? (HOSTS[1] ?? "") : "It was the last order of this view.")
        .first()
        .waitFor();
      expect(counted.clicks).toBeLessThanOrEqual(5);
    }
    expect(first.counted.clicks).toBe(2);

    await giveCheckedOrders(state.portal, CUSTOMER.email, csrOf("many.counted.example.com"), CHECKED);
    const approver = await memberOfStaff(state, "Paul", "Approver");
    const { counted, click } = counting();
    await click(approver.getByRole("link", { name: /^Queue/ }).first());
    await approver.locator(`#pending-orders tbody tr:nth-child(${PAGE})`).waitFor();
    await click(approver.getByRole("link", { name: "Approve all that are ready" }));
    const all = CHECKED + HOSTS.length;
    await approver.getByText(`Are you sure you wish to approve ${all} orders and issue the certificates?`).waitFor();
    await click(button(approver, "Approve"));
    await approver.getByText(`${all} certificates have been issued.`).waitFor({ timeout: 60_000 });
    expect(counted.clicks).toBeLessThanOrEqual(12);
    expect(counted.clicks).toBe(3);
  });
});

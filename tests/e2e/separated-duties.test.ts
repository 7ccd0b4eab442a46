import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page } from "playwright";
import { afterAll, describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { writeConfig } from "../support/template";
import { useBrowser, withScripts } from "./support/browser";
import {
  authorise,
  buy,
  CN,
  completeRegistration,
  CUSTOMER,
  fill,
  heading,
  logIn,
  press,
  register,
  statusOf,
  verifyEmail,
} from "./support/journey";
import { memberOfStaff } from "./support/staff";

const folder = mkdtempSync(join(tmpdir(), "marque-strict-"));
afterAll(() => rmSync(folder, { recursive: true }));

const state = useBrowser({ PORTAL_CONFIG: writeConfig(folder, "strict") });
const files = useOpenssl();

async function openOrder(page: Page, orderNumber: string): Promise<void> {
  await page.goto("/home/certificate-queue");
  await page.getByRole("row").filter({ hasText: orderNumber }).getByRole("link").first().click();
  await heading(page, `Order ${orderNumber}`);
}

describe(`separated duties, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[MAN-03] one officer checks an order, another one approves it, and neither does the other's part; wrong codes are in the security events", async () => {
    const customer = await state.open();
    await register(customer, CUSTOMER);
    await completeRegistration(customer);
    await verifyEmail(customer, state.portal, CUSTOMER);
    const { pem } = files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] });
    const orderNumber = await buy(customer, pem);
    await authorise(await state.open(), state.portal);
    const officer = await memberOfStaff(state, "Olga", "Registration officer");
    const approver = await memberOfStaff(state, "Paul", "Approver");

    await openOrder(approver, orderNumber);
    expect(await approver.getByRole("button", { name: "Record and next" }).count()).toBe(0);
    await openOrder(officer, orderNumber);
    await officer.locator('[name="organisation"][value="other"]').check();
    await fill(officer, { organisationNote: "Seen: the register" });
    await officer.getByRole("radio", { name: "Agrees with the register" }).check();
    await press(officer, "Record and next");
    await officer.getByText("have been recorded. It was the last order of this view.").first().waitFor();
    await openOrder(officer, orderNumber);
    await officer.getByText("Seen: the register").first().waitFor();
    expect(await officer.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
    await openOrder(approver, orderNumber);
    await press(approver, "Approve");
    await approver.getByText("Are you sure you wish to approve this order and issue its certificate?").waitFor();
    await press(approver, "Approve and issue");
    await approver.getByText(/has been issued with serial number/).waitFor();
    expect(await statusOf(customer, CN)).toBe("Issued");

    const admin = await state.open();
    await logIn(admin);
    await admin.goto("/home/security-events?event=factor.refused");
    for (const name of ["olga", "paul"])
      await admin
        .getByRole("row")
        .filter({ hasText: `${name}@association.example` })
        .first()
        .waitFor();
  });
});

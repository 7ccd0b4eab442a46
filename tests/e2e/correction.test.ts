import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import {
  approve,
  authorise,
  buy,
  CN,
  completeRegistration,
  CUSTOMER,
  download,
  fill,
  heading,
  logIn,
  press,
  register,
  verifyEmail,
} from "./support/journey";

const state = useBrowser();
const files = useOpenssl();
const SUBJECT = `/C=DE/L=Koeln/O=Example Parts GmbH/CN=${CN}`;
const csr = () => files.makeCsr({ subject: SUBJECT, san: [`DNS:${CN}`] }).pem;

describe(`correction of a certificate, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[REN-05] a company corrects the usage; the download of the new certificate has the old one revoked", async () => {
    const page = await state.open();
    await register(page, CUSTOMER);
    await completeRegistration(page);
    await verifyEmail(page, state.portal, CUSTOMER);
    const first = await buy(page, csr());
    const admin = await state.open();
    await logIn(admin);
    await authorise(await state.open(), state.portal, first);
    await approve(admin, first);
    const before = new X509Certificate(await download(page, "Initial"));

    await page.goto("/home/certificates");
    const old = await page.locator("tbody tr").first().locator('input[name="id"]').getAttribute("value");
    await page.goto(`/home/certificate-details/${old}`);
    await page.getByRole("link", { name: "Correct host or usage" }).click();
    await heading(page, "Correct certificate");
    await fill(page, { csr: csr(), hasEmail: false, hasFileSigning: false });
    await press(page, "Check the correction");
    await page.getByText("Do you want to order this correction").first().waitFor();
    expect(await page.locator("table.compare").innerText()).toContain("Secure session, Encryption");
    await press(page, "Order the correction");
    const title = await page.getByRole("heading", { level: 1, name: /^Order SO-/ }).innerText();
    const second = title.replace("Order ", "");
    await page.getByText(`of certificate ${old}`).first().waitFor();

    await authorise(await state.open(), state.portal, second);
    await approve(admin, second);
    await page.goto(`/home/certificate-details/${old}`);
    await page.getByText("corrects this one.").waitFor();
    const after = new X509Certificate(await download(page, "Reissue"));
    expect(after.validTo).toBe(before.validTo);
    expect(after.subject).toBe(before.subject);
    await expect
      .poll(
        async () => {
          await page.goto(`/home/certificate-details/${old}`);
          return page.locator("main").innerText();
        },
        { timeout: 30_000, interval: 2_000 },
      )
      .toMatch(/Revoked .*Superseded/);
  });

  test("[SAL-07] a company corrects the purchase order number; a credit note and a new invoice replace the invoice", async () => {
    const page = await state.open();
    await logIn(page, CUSTOMER);
    await page.goto("/home/orders");
    await page.getByRole("link", { name: /^SO-/ }).last().click();
    await page.getByRole("link", { name: "Correct it" }).click();
    await page.getByRole("link", { name: "Correct order and invoice" }).click();
    await fill(page, { purchaseOrderNumber: "PO-4711" });
    await press(page, "Continue");
    const question = /Are you sure you wish to correct order SO-\d+ and replace its invoice\?/;
    await page.getByText(question).first().waitFor();
    await press(page, "Correct order");
    await page.getByText("Correction COR-").first().waitFor();
    const order = await page.locator("main").innerText();
    expect(order).toContain("PO-4711");
    expect(
      [...new Set(order.match(/(?:INV|CN)-\d{4}-\d+/g))].map((number) => number.replace(/-.*/, "")).toSorted(),
    ).toEqual(["CN", "INV", "INV"]);
  });
});

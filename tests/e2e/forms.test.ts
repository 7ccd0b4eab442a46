import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificateOrder } from "./support/codes";
import {
  chooseOption,
  CN,
  completeRegistration,
  CONTACT,
  CUSTOMER,
  fill,
  heading,
  logIn,
  painted,
  press,
  register,
} from "./support/journey";

const state = useBrowser();
const files = useOpenssl();

const customer = (name: string) => ({ ...CUSTOMER, email: `${name}@example-parts.com` });
const field = (page: Page, name: string) => page.locator(`[name="${name}"]:not([type="hidden"])`);
const messages = (page: Page) => page.locator(".err").allInnerTexts();

describe(`forms, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[CRD-01] [CRD-02] complete registration: the country of the invoice shows the invoicing address and clears the VAT number", async () => {
    const page = await state.open();
    await register(page, customer("vat"));
    const city = field(page, "invoicingAddress.city");
    const vat = field(page, "vatNumber");
    await city.waitFor({ state: "hidden" });

    await fill(page, { "companyAddress.country": "Germany" });
    if (withScripts) {
      await city.waitFor();
      expect(await city.isDisabled()).toBe(true);
    } else expect(await city.isVisible()).toBe(false);

    await fill(page, { vatNumber: "DE123456789", "companyAddress.country": "Switzerland" });
    await city.waitFor({ state: "hidden" });
    expect(await vat.inputValue()).toBe(withScripts ? "" : "DE123456789");
    expect(await vat.isVisible()).toBe(true);

    await fill(page, { vatNumber: "CHE123456789", useCompanyAddress: false });
    await city.waitFor();
    expect(await city.isEnabled()).toBe(true);
    expect(await vat.inputValue()).toBe("CHE123456789");
    await fill(page, { "invoicingAddress.country": "France" });
    expect(await vat.inputValue()).toBe(withScripts ? "" : "CHE123456789");
  });

  test("[REG-05] Cancel asks before typed details are lost; No keeps them, Yes leaves", async () => {
    const page = await state.open();
    await page.goto("/register");
    await press(page, "Cancel");
    await page.waitForURL(/\/login/);

    await page.goto("/register");
    await fill(page, { firstName: "Anna", password: "correct horse battery" });
    await press(page, "Cancel");
    await page.getByText("Do you really want to cancel?").waitFor();
    await press(page, "No");
    await field(page, "firstName").waitFor();
    expect(await field(page, "firstName").inputValue()).toBe("Anna");
    await fill(page, { lastName: "Müller" });
    await press(page, "Cancel");
    await page.getByText("Do you really want to cancel?").waitFor();
    await page.getByRole(withScripts ? "button" : "link", { name: "Yes", exact: true }).click();
    await page.waitForURL(/\/login/);
  });

  test("[REG-07] [PUR-03] Import does not count as a submit attempt: fields not yet reached show no messages while typing", async () => {
    const page = await state.open();
    await register(page, customer("attempt"));
    await completeRegistration(page);
    await page.goto("/home/certificates");
    await page.getByRole("link", { name: "Purchase New Certificate" }).click();
    await heading(page, "Purchase Certificate");
    await fill(page, CONTACT);
    await press(page, "Confirm");
    await heading(page, "Purchase Certificate: order");

    const { pem } = files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] });
    await fill(page, { csrWay: "paste", csr: pem });
    await press(page, "Import");
    await page.getByText(CN).first().waitFor();
    const order = field(page, "purchaseOrderNumber");
    await order.pressSequentially("P");
    await order.press("Backspace");
    await chooseOption(field(page, "validityPeriod"), "2 years");
    await field(page, "promoCode").focus();
    await painted(page);
    expect(await messages(page)).toEqual([]);

    await press(page, "Next");
    await page.getByText("There is a problem").waitFor();
    expect((await messages(page)).length).toBeGreaterThan(1);
    if (!withScripts) return;
    await order.fill("PO-1");
    await page.locator(`#${await order.getAttribute("id")}-error`).waitFor({ state: "detached" });
    await order.fill("");
    await page.locator(`#${await order.getAttribute("id")}-error`).waitFor();
  });

  test("[MAN-03] recording a check in the certificate queue keeps the other typed notes, the reason and the place", async () => {
    const anna = customer("queue");
    await register(await state.open(), anna);
    const order = await giveCertificateOrder(state.portal, anna.email, files.makeCsr().pem);
    const page = await state.open();
    await logIn(page);
    await page.goto(`/home/certificate-queue/${order}`);
    await fill(page, { decisionReason: "Key too short" });
    await page.locator('[name="csr"][value="other"]').check();
    await fill(page, { csrNote: "Same company" });
    await page.locator('[name="csr"][value=""]').check();
    await page.getByRole("radio", { name: "Trade register seen" }).check();
    await page.locator('[name="contact"][value="other"]').check();
    await fill(page, { contactNote: "By telephone" });
    await field(page, "contactNote").press("Enter");
    const card = page.locator("#decision");
    const text = "The checks “Authentication contact” and “Organisation document” have been recorded.";
    await card.getByText(text).last().waitFor();
    expect(await field(page, "csrNote").inputValue()).toBe("Same company");
    expect(await field(page, "decisionReason").inputValue()).toBe("Key too short");
    await expect.poll(() => card.evaluate((one) => one === document.activeElement)).toBe(true);
    const top = await card.evaluate((one) => one.getBoundingClientRect().top);
    expect(top >= 0 && top < (page.viewportSize()?.height ?? 0)).toBe(true);
  });

  test("[MAN-03] all orders of a queue page are ticked at once, and nothing chosen is a problem of the page", async () => {
    const anna = customer("select-all");
    await register(await state.open(), anna);
    for (let count = 0; count < 2; count += 1)
      await giveCertificateOrder(state.portal, anna.email, files.makeCsr().pem);
    const page = await state.open();
    await logIn(page);
    await page.goto("/home/certificate-queue?size=25");
    await press(page, "Approve selected");
    await page.getByRole("link", { name: "Select orders first." }).waitFor();
    expect(new URL(page.url()).searchParams.get("size")).toBe("25");
    const rows = page.locator('tbody input[name="id"]');
    const count = await rows.count();
    const all = page.getByRole("checkbox", { name: "Select all rows of this page" });
    if (withScripts) {
      await all.check();
      await rows.first().uncheck();
      expect(await all.evaluate((box: HTMLInputElement) => [box.checked, box.indeterminate])).toEqual([false, true]);
      await rows.first().check();
      expect(await all.isChecked()).toBe(true);
    } else await page.getByRole("link", { name: "Select all" }).click();
    expect([count > 1, await rows.and(page.locator(":checked")).count()]).toEqual([true, count]);
    await press(page, "Approve selected");
    await page.getByText("None of the selected orders can be approved.").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(count);
  });
});

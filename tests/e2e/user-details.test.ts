import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { completeRegistration, CUSTOMER, fill, heading, logIn, press, register } from "./support/journey";

const state = useBrowser();

const customer = (name: string) => ({ ...CUSTOMER, email: `${name}@example-parts.com` });
const field = (page: Page, name: string) => page.locator(`[name="${name}"]:not([type="hidden"])`);
const valueOf = (page: Page, name: string) => field(page, name).inputValue();

/** Returns the page of the user details, opened by a customer whose details are complete. */
async function atUserDetails(name: string): Promise<Page> {
  const page = await state.open();
  await register(page, customer(name));
  await completeRegistration(page);
  await page.getByRole("link", { name: "Anna Müller" }).click();
  await heading(page, "User Details");
  return page;
}

describe(`user details, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[USR-01] [USR-03] [DSH-02] the name in the header opens them; Save shows a message on the dashboard; Cancel goes there at once", async () => {
    const page = await atUserDetails("details");
    expect(await field(page, "company").getAttribute("readonly")).not.toBeNull();
    expect(await field(page, "companyRegistrationNumber").isDisabled()).toBe(true);
    await fill(page, { position: "" });
    await press(page, "Save");
    await page.getByText("Position: This field is required.").waitFor();
    await fill(page, { position: "Head of EDI", "companyAddress.city": "Bonn" });
    await press(page, "Save");
    await heading(page, "Welcome, Anna");
    await page.getByText("User details successfully updated.").waitFor();

    await page.getByRole("link", { name: "Anna Müller" }).click();
    await heading(page, "User Details");
    expect([await valueOf(page, "position"), await valueOf(page, "companyAddress.city")]).toEqual([
      "Head of EDI",
      "Bonn",
    ]);
    await fill(page, { position: "Not saved" });
    await page.getByRole("link", { name: "Cancel", exact: true }).click();
    await heading(page, "Welcome, Anna");
  });

  test("[USR-04] another country clears the VAT number", async () => {
    const page = await atUserDetails("country");
    expect(await valueOf(page, "vatNumber")).toBe("DE123456789");
    await fill(page, { firstName: "Anne", "companyAddress.country": "France" });
    const update = page.getByRole("button", { name: "Update country" }).first();
    if (withScripts) expect(await update.isVisible()).toBe(false);
    else {
      await update.click();
      await heading(page, "User Details");
    }
    expect([await valueOf(page, "vatNumber"), await valueOf(page, "firstName")]).toEqual(["", "Anne"]);
    await press(page, "Save");
    await page
      .getByText("VAT number: Please insert a VAT number.")
      .or(page.getByText("Please insert a VAT number."))
      .first()
      .waitFor();
    await fill(page, { vatNumber: "FR12345678901" });
    await press(page, "Save");
    await heading(page, "Welcome, Anne");
  });

  test("[USR-04] Save clicked twice saves once and opens the dashboard", async () => {
    const page = await atUserDetails("twice");
    await fill(page, { position: "Clicked twice" });
    await page.getByRole("button", { name: "Save", exact: true }).dblclick();
    await heading(page, "Welcome, Anna");
    await page.getByText("User details successfully updated.").waitFor();
    await page.goto("/home/user-management");
    expect(await valueOf(page, "position")).toBe("Clicked twice");
  });

  test("[USR-03] the second of two windows is told about the change and can replace it", async () => {
    const page = await atUserDetails("windows");
    const second = await page.context().newPage();
    await second.goto("/home/user-management");
    await fill(page, { position: "First" });
    await press(page, "Save");
    await heading(page, "Welcome, Anna");
    await fill(second, { position: "Second" });
    await press(second, "Save");
    await second.locator("p.err").getByText("Stored now: 'First'. Your entry is kept.").waitFor();
    if (withScripts) await second.locator(".errors:focus").waitFor(); // or the focus would leave the field while it is typed in
    await field(second, "position").selectText();
    await second.keyboard.type("Third"); // key by key: the message goes at the first one
    await press(second, "Save");
    await heading(second, "Welcome, Anna");
    await second.goto("/home/user-management");
    expect(await valueOf(second, "position")).toBe("Third");
  });

  test("[USR-05] a new password ends the session of another browser but not this one", async () => {
    const page = await atUserDetails("password");
    const elsewhere = await state.open();
    await logIn(elsewhere, customer("password"));
    const password = "a quite different one";
    await fill(page, { currentPassword: CUSTOMER.password, password, confirmPassword: password });
    await press(page, "Save");
    await heading(page, "Welcome, Anna");
    await page.goto("/home/certificates");
    await heading(page, /certificates/i);
    await elsewhere.goto("/home/dashboard");
    await elsewhere.getByRole("heading", { name: "Log in" }).waitFor();
    await logIn(elsewhere, { email: customer("password").email, password });
  });
});

if (withScripts)
  test("[CRD-01] the disabled invoicing address follows the company address; its own one is restored", async () => {
    const page = await atUserDetails("mirror");
    await fill(page, { "companyAddress.city": "Bonn" });
    expect(await valueOf(page, "invoicingAddress.city")).toBe("Bonn");
    await fill(page, { useCompanyAddress: false, "invoicingAddress.city": "Trier" });
    await fill(page, { useCompanyAddress: true, "companyAddress.city": "Aachen" });
    expect(await valueOf(page, "invoicingAddress.city")).toBe("Aachen");
    expect(await field(page, "invoicingAddress.city").isDisabled()).toBe(true);
    await fill(page, { useCompanyAddress: false });
    expect(await valueOf(page, "invoicingAddress.city")).toBe("Trier");
  });

if (withScripts)
  test("[REG-05] following a link from changed details asks first", async () => {
    const page = await atUserDetails("leaving");
    await fill(page, { position: "Not saved" });
    const away = page.getByRole("link", { name: "Certificates", exact: true }).first();
    await away.click();
    await page.getByText("Do you really want to cancel?").waitFor();
    await page.getByRole("button", { name: "No", exact: true }).click();
    expect(await valueOf(page, "position")).toBe("Not saved");
    await away.click();
    await page.getByRole("button", { name: "Yes", exact: true }).click();
    await heading(page, /certificates/i);
  });

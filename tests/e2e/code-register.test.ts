import { type Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { giveCodes } from "./support/codes";
import { completeRegistration, CUSTOMER, fill, heading, logIn, press, register } from "./support/journey";

const state = useBrowser();
let page: Page;
let entity = "";

const valueOf = (name: string) => page.locator(`[name="${name}"]:not([type="hidden"])`).inputValue();
const addContact = async (values: Record<string, string>) => {
  await press(page, "Add New Contact");
  await heading(page, "Contact Details");
  await fill(page, values);
  await press(page, "Save");
};

beforeAll(async () => {
  page = await state.open();
  await register(page, CUSTOMER);
  await completeRegistration(page);
  await giveCodes(state.portal, CUSTOMER.email, "Full", 1);
});

describe(`codes, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[COD-02] [COD-08] registers an entity with two contacts and loses nothing that was typed", async () => {
    await page.goto("/home/codes/code-details?type=Full");
    await heading(page, "Register Entity");
    await fill(page, { entityName: "Plant Nord", useCompanyAddress: false, "physicalAddress.city": "Bonn" });
    await page.getByLabel("Other (please specify)").check();
    await fill(page, { otherText: "Museum" });
    await addContact({ contactType: "IT", firstName: "Ida", lastName: "Berg", emailAddress: "ida@example-parts.com" });
    await heading(page, "Register Entity");
    await addContact({
      contactType: "Sales",
      firstName: "Eva",
      lastName: "Tal",
      emailAddress: "eva@example-parts.com",
    });
    await heading(page, "Register Entity");
    expect([await valueOf("entityName"), await valueOf("physicalAddress.city"), await valueOf("otherText")]).toEqual([
      "Plant Nord",
      "Bonn",
      "Museum",
    ]);
    await press(page, "Save");
    await page.getByText("Address line 1 (physical address): This field is required.").waitFor();
    await fill(page, { "physicalAddress.addressLine1": "Hafen 1", "physicalAddress.postalCode": "53111" });
    await fill(page, { "physicalAddress.country": "Germany" });
    await press(page, "Save");
    await page.getByText(/New code \w{4} has been successfully registered\./).waitFor();
    await heading(page, "Code details");
    for (const name of ["Ida", "Eva"]) await page.getByRole("cell", { name, exact: true }).waitFor();
    entity = new URL(page.url()).searchParams.get("code") ?? "";
  });

  test("[COD-05] registers a sub-entity under it", async () => {
    await page.goto(`/home/codes/code-details?parent=${entity}`);
    await heading(page, /Register Sub-Entity/);
    await fill(page, { subcode: "00", entityName: "Gate 7" });
    await press(page, "Save");
    await page.getByText("00 may not be used as a subcode.").first().waitFor();
    await fill(page, { subcode: "a7" });
    await press(page, "Save");
    await page.getByText(/New code \w{4}A7 has been successfully registered\./).waitFor();
    await heading(page, /Code details.*Sub-Entity/);
  });

  test("[COD-06] [COD-09] edits it twice, cancels it after a question, and then shows it read-only", async () => {
    for (const shortName of ["G7", "G77"]) {
      await fill(page, { shortName });
      await press(page, "Update");
      await page.getByText("Details have been saved successfully").waitFor();
      await expect.poll(() => valueOf("shortName")).toBe(shortName);
      await page.reload();
    }
    await fill(page, { status: "Cancelled", tradeName: "Last words" });
    await press(page, "Update");
    await page.getByText("Are you sure wish to change the status of this code to 'Cancelled'?").waitFor();
    await press(page, "Cancel");
    await heading(page, /Code details/);
    expect([await valueOf("status"), await valueOf("tradeName")]).toEqual(["Registered", "Last words"]);
    await fill(page, { status: "Cancelled" });
    await press(page, "Update");
    await press(page, "OK");
    await page.getByText("Details have been saved successfully").waitFor();
    expect(await page.getByRole("button", { name: "Update" }).count()).toBe(0);
    expect([await valueOf("status"), await valueOf("tradeName")]).toEqual(["Cancelled", "Last words"]);
    expect(await page.locator('[name="entityName"]').isDisabled()).toBe(true);
  });

  test("[COD-06] tells the second of two windows about the change, which can then update", async () => {
    await page.goto(`/home/codes/code-details?code=${entity}`);
    const second = await page.context().newPage();
    await second.goto(`/home/codes/code-details?code=${entity}`);
    await fill(page, { shortName: "First" });
    await press(page, "Update");
    await page.getByText("Details have been saved successfully").waitFor();
    await fill(second, { shortName: "Second" });
    await press(second, "Update");
    await second.locator("p.err").getByText("Stored now: 'First'. Your entry is kept.").waitFor();
    expect(await second.locator('[name="shortName"]').inputValue()).toBe("Second");
    await press(second, "Update");
    await second.getByText("Details have been saved successfully").waitFor();
    await second.close();
  });

  test("[COD-08] removes and restores a new contact, removes a stored one, and loses nothing that was typed", async () => {
    await page.goto(`/home/codes/code-details?code=${entity}`);
    await fill(page, { tradeName: "Typed before" });
    await addContact({ contactType: "IT", firstName: "Otto", lastName: "Neu", emailAddress: "otto@example-parts.com" });
    const otto = page.getByRole("row").filter({ hasText: "Otto" });
    await otto.waitFor();
    await fill(page, { tradeName: "Typed after" });
    await press(page, "Remove of Otto Neu");
    await page.getByText("The unsaved changes of Otto Neu have been removed.").waitFor();
    expect([await otto.count(), await valueOf("tradeName")]).toEqual([0, "Typed after"]);
    await press(page, "Undo");
    await otto.waitFor();
    expect(await page.locator("#contacts").evaluate((panel) => panel === document.activeElement)).toBe(true);
    expect([await page.getByRole("button", { name: "Undo" }).count(), await valueOf("tradeName")]).toEqual([
      0,
      "Typed after",
    ]);
    await press(page, "Update");
    await page.getByText("Details have been saved successfully").waitFor();
    await otto.waitFor();

    await press(page, "Remove of Otto Neu");
    await page.getByRole("button", { name: "Keep Otto Neu" }).waitFor();
    await press(page, "Update");
    await otto.waitFor({ state: "detached" });
    expect(await valueOf("tradeName")).toBe("Typed after");
  });

  test("[SRC-01] [SRC-02] searches and sorts the register, opens a code, and returns to the same search", async () => {
    await page.goto("/home/search-codes");
    await press(page, "Search");
    await page.getByText("Specify code search details and try again.").first().waitFor();
    await fill(page, { code: "    A7" });
    await press(page, "Search");
    await page.getByText("You must specify the Code value when searching sub codes.").first().waitFor();
    await fill(page, { code: "", company: "example par" });
    await press(page, "Search");
    await page.getByText("1 to 2 of 2, sorted by code").waitFor();
    await page.getByRole("link", { name: "City" }).click();
    await page.getByText("1 to 2 of 2, sorted by city").waitFor();
    const cities = page.locator("tbody tr td:nth-of-type(5)");
    expect(await cities.allInnerTexts()).toEqual(["Bonn", "Köln"]);
    await page.getByRole("radio").first().check();
    await press(page, "View Details");
    await heading(page, "Code details");
    expect(await valueOf("physicalAddress.city")).toBe("Bonn");
    await page.locator("main").getByRole("link", { name: "Back" }).first().click();
    await heading(page, "Code search");
    await page.getByText("1 to 2 of 2, sorted by city").waitFor();
    expect(await valueOf("company")).toBe("example par");
    expect(await page.getByRole("radio").first().isChecked()).toBe(true);
  });

  test("[AUD-01] [COD-09] shows an administrator the code's audit log and the way back to its details", async () => {
    const admin = await state.open();
    await logIn(admin);
    await admin.goto(`/home/codes/code-details?code=${entity}`);
    await admin.getByRole("link", { name: "View Audit Log" }).click();
    await heading(admin, /^Audit Log of \w{6}$/);
    const messages = admin.locator("tbody tr td:nth-of-type(4)");
    expect((await messages.allInnerTexts()).at(-1)).toMatch(/^Registered the entity \w{6}\.$/);
    await admin.getByRole("link", { name: "Recorded" }).click();
    await expect.poll(async () => (await messages.allInnerTexts())[0]).toMatch(/^Registered the entity \w{6}\.$/);
    await admin.locator("main").getByRole("link", { name: "Back" }).first().click();
    await heading(admin, "Code details");
    await page.goto(`/home/codes/code-details?code=${entity}`);
    expect(await page.getByRole("link", { name: "View Audit Log" }).count()).toBe(0);
  });
});

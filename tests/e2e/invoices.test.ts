import { describe, expect, test } from "vitest";
import { useBrowser, withScripts } from "./support/browser";
import { giveOrder } from "./support/codes";
import { completeRegistration, CUSTOMER, fill, heading, linkFor, logIn, press, register } from "./support/journey";

const state = useBrowser();

describe(`invoices, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[SAL-05] [COD-01] [LOG-07] staff issue an invoice, the customer downloads it, also by the link in the message, and staff cancel it with a credit note", async () => {
    const page = await state.open();
    await register(page, CUSTOMER);
    await completeRegistration(page);
    const id = await giveOrder(state.portal, CUSTOMER.email);

    const admin = await state.open();
    await logIn(admin);
    await admin.goto(`/home/sale-orders/details?order=${id}`);
    await admin.getByRole("link", { name: "Issue invoice" }).click();
    await heading(admin, "Issue invoice");
    expect(await admin.locator("main").innerText()).toMatch(/OSCAR Code Basic[\s\S]*€900\.00[\s\S]*€1,080\.00/);
    await press(admin, "Issue invoice");
    await admin.getByText(/Invoice INV-\d{4}-00001 has been issued\./).waitFor();

    await page.goto("/home/codes");
    const row = page.getByRole("row").filter({ hasText: `SO-${id}` });
    expect(await row.innerText()).toMatch(/INV-\d{4}-00001[\s\S]*Invoiced/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      row.getByRole("link", { name: `Download the invoice of order SO-${id}` }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^INV-\d{4}-00001\.pdf$/);

    // A refusal must be a page, not a file with the name of the invoice.
    await page.context().clearCookies();
    await row.getByRole("link", { name: `Download the invoice of order SO-${id}` }).click();
    await heading(page, "Log in");
    await logIn(page, CUSTOMER);
    await page.goto("/home/codes");

    const reader = await state.open();
    await reader.goto(await linkFor(state.portal, CUSTOMER.email, "/home/invoice/"));
    await heading(reader, "Log in");
    await fill(reader, { email: CUSTOMER.email, password: CUSTOMER.password });
    await press(reader, "Login");
    await heading(reader, "Download");
    const [again] = await Promise.all([
      reader.waitForEvent("download"),
      reader.getByRole("link", { name: "Download the invoice or credit note" }).click(),
    ]);
    expect(again.suggestedFilename()).toMatch(/^INV-\d{4}-00001\.pdf$/);
    await reader.getByRole("link", { name: "Dashboard", exact: true }).last().click();
    await heading(reader, /^Welcome/);

    await admin.getByRole("link", { name: "Credit note" }).click();
    await heading(admin, "Issue credit note");
    await press(admin, "Issue credit note");
    await admin.getByText("There is a problem").waitFor();
    await fill(admin, { reason: "Wrong company" });
    await press(admin, "Issue credit note");
    await admin.getByText(/Credit note CN-\d{4}-00001 has been issued\./).waitFor();
    await admin.getByRole("link", { name: "Issue invoice" }).waitFor();
    await page.reload();
    expect(await row.innerText()).toContain("Open");
    for (const number of [/^Download INV-\d{4}-00001 /, /^Download CN-\d{4}-00001 /]) {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        row.getByRole("link", { name: number }).click(),
      ]);
      expect(`Download ${file.suggestedFilename().replace(".pdf", " ")}`).toMatch(number);
    }
  });
});

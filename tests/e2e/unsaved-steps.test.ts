import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { poppler } from "../support/pdf";
import { useBrowser, withScripts } from "./support/browser";
import { CN, completeRegistration, CONTACT, CUSTOMER, fill, heading, press, register } from "./support/journey";

const state = useBrowser();
const files = useOpenssl();

const QUESTION = "Do you really want to cancel?";
const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).first().click();

/** Presses a link, is asked, and stays on the page. Without scripts there is no question. */
async function staysAt(page: Page, link: string, title: string): Promise<void> {
  if (!withScripts) return;
  await follow(page, link);
  await page.getByRole("dialog").getByText(QUESTION).waitFor();
  await press(page, "No");
  await heading(page, title);
}

describe(`leaving a step of a wizard, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[PUR-01] [PUR-03] asks about typed values, but not about those that the server has stored", async () => {
    const page = await state.open();
    await register(page, CUSTOMER);
    await completeRegistration(page);
    await page.goto("/home/certificates");
    await follow(page, "Purchase New Certificate");
    await heading(page, "Purchase Certificate");
    await fill(page, CONTACT);
    await staysAt(page, "Change your details", "Purchase Certificate");
    expect(await page.locator('[name="name"]').inputValue()).toBe(CONTACT.name);
    await fill(page, { email: "info@gmail.com" });
    await press(page, "Confirm");
    await page.getByText("gmail.com is a free email provider.").waitFor();
    await page.getByText("Not met: with a company e-mail in their own name").waitFor();
    await page.getByText("info@ is a shared mailbox.").waitFor();
    await fill(page, { email: "berta.brown@gmail.com" });
    if (withScripts) await page.getByText("info@ is a shared mailbox.").waitFor({ state: "detached" });
    await fill(page, { email: CONTACT.email });
    await press(page, "Confirm");

    await heading(page, "Purchase Certificate: order");
    if (withScripts) expect(await page.getByLabel("Passphrase for the key file").inputValue()).toMatch(/^\S{20,}$/);
    await follow(page, "Contact details"); // the passphrase that the script has filled in is nothing typed
    await heading(page, "Purchase Certificate");
    await press(page, "Confirm");
    await heading(page, "Purchase Certificate: order");
    const { pem } = files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] });
    await fill(page, { csrWay: "paste", csr: pem });
    await staysAt(page, "Contact details", "Purchase Certificate: order");
    await press(page, "Import");
    await page.getByText("Details of your CSR").waitFor();
    await follow(page, "Contact details"); // Import has stored everything
    await heading(page, "Purchase Certificate");
    await press(page, "Confirm");
    await heading(page, "Purchase Certificate: order");
    await follow(page, "Contact details"); // the line ends of the stored CSR are no change
    await heading(page, "Purchase Certificate");
    await press(page, "Confirm");
    await heading(page, "Purchase Certificate: order");
    await fill(page, { purchaseOrderNumber: "PO-1", termsAndConditionsAccepted: true });
    if (withScripts) {
      await page.goBack();
      await page.getByRole("dialog").getByText(QUESTION).waitFor();
      await press(page, "No");
    }
    await press(page, "Next");

    await heading(page, "Purchase Certificate: invoice address");
    await page.getByText("The company has not confirmed").waitFor();
    const sheet = await page.pdf({ preferCSSPageSize: true });
    expect(poppler("pdfinfo", sheet)).toMatch(/Pages:\s+1\n/);
    expect(poppler("pdftotext", sheet, ["-layout"]).match(/^ *Total +€/gm)).toHaveLength(1);
    await fill(page, { name: "Carla Weiss" });
    await staysAt(page, "Change order", "Purchase Certificate: invoice address");
    await press(page, "Back"); // Back stores it and does not ask
    await heading(page, "Purchase Certificate: order");
    await press(page, "Next");
    await heading(page, "Purchase Certificate: invoice address");
    expect(await page.locator('[name="name"]').inputValue()).toBe("Carla Weiss");
    await fill(page, { name: "Not wanted" });
    await follow(page, "Certificates");
    if (withScripts) await press(page, "Yes");
    await heading(page, "Certificates");
  });

  test("[CPO-01] asks in a purchase of codes too", async () => {
    const page = await state.open();
    await register(page, { ...CUSTOMER, email: "codes@example-parts.com" });
    await completeRegistration(page);
    await page.goto("/home/code/purchase/contact-details");
    await press(page, "Confirm");
    await heading(page, "Purchase ID codes: order");
    await fill(page, { purchaseOrderNumber: "PO-2" });
    await staysAt(page, "Contact details", "Purchase ID codes: order");
    await press(page, "Back"); // Back stores it and does not ask
    await heading(page, "Purchase ID codes");
    await press(page, "Confirm");
    await heading(page, "Purchase ID codes: order");
    expect(await page.locator('[name="purchaseOrderNumber"]').inputValue()).toBe("PO-2");
  });
});

import { type Locator, type Page } from "playwright";
import { expect, vi } from "vitest";
import { withScripts } from "./browser";
import { ADMIN, type RunningPortal } from "./running-portal";

/** The steps of a person in the portal, page by page. They are the same with scripts off and on. */

export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Chooses the option with this caption. A price after the caption does not count. */
export async function chooseOption(field: Locator, caption: string): Promise<void> {
  const captions = await field.locator("option").allTextContents();
  const label = captions.find((text) => text === caption || text.startsWith(`${caption}, €`)) ?? caption;
  await field.selectOption({ label });
}

/**
 * Fills fields by the names in the specification. The value of a select is a caption or its beginning before a comma, that of a checkbox is
 * true or false, that of radio buttons the value of one of them.
 */
export async function fill(page: Page, values: Record<string, string | boolean>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`[name="${name}"]:not([type="hidden"])`).first();
    if (typeof value === "boolean") await field.setChecked(value);
    else if (await field.evaluate((element) => element.tagName === "SELECT")) await chooseOption(field, value);
    else if ((await field.getAttribute("type")) === "radio")
      await page.locator(`[name="${name}"][value="${value}"]`).check();
    else await field.fill(value);
  }
}

/** Waits until the page has drawn the changes of the last action. With scripts off there is nothing to wait for. */
export const painted = (page: Page) =>
  withScripts && page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

/** Returns whether the element is, at least with its beginning, in the window. */
export const isInView = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  });

/** Expects that the summary of a refused form is in view and has the focus. */
export async function expectSummaryInView(page: Page): Promise<void> {
  const summary = page.locator(".errors").first();
  const hasFocus = () => summary.evaluate((one) => one === document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  expect(await isInView(summary)).toBe(true);
}

export const heading = async (page: Page, text: string | RegExp) => {
  await page.getByRole("heading", { level: 1, name: text }).waitFor();
};

/** Waits for a message to this address whose subject contains `about`. Returns its first link whose path begins with `path`. */
export async function linkFor(portal: RunningPortal, address: string, path: string, about = ""): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const texts = (await portal.mails())
      .filter((mail) => mail.to?.[0]?.address === address && mail.subject?.includes(about))
      .map((mail) => mail.text ?? "");
    const link = texts.join("\n").match(new RegExp(`${path}\\S+`))?.[0];
    if (link) return link;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`No message to ${address} with a link to ${path}`);
}

export interface Customer {
  /** Anna Müller unless it is given. */
  firstName?: string;
  lastName?: string;
  email: string;
  password: string;
  company: string;
}

export const CUSTOMER: Customer = {
  email: "anna.mueller@example-parts.com",
  password: "correct horse battery",
  company: "Example Parts GmbH",
};

/** The host name in the certificates. */
export const CN = "oftp.example-parts.com";

/** Returns the fields of a registration. */
export const registrationOf = (customer: Customer) => ({
  firstName: customer.firstName ?? "Anna",
  lastName: customer.lastName ?? "Müller",
  company: customer.company,
  position: "EDI manager",
  telephoneNumber: "+49 221 123456",
  email: customer.email,
  confirmEmail: customer.email,
  password: customer.password,
  confirmPassword: customer.password,
  securityQuestion: "What was the name of your first pet?",
  securityAnswer: "Bello",
});

export async function register(page: Page, customer: Customer): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Register a new account" }).click();
  await heading(page, "Registration");
  await fill(page, registrationOf(customer));
  await press(page, "Register");
  await heading(page, "Company Registration");
}

/** The fields that complete a registration. */
export const COMPANY_DETAILS = {
  companyRegistrationNumber: "HRB 12345",
  "companyAddress.addressLine1": "Domkloster 4",
  "companyAddress.city": "Köln",
  "companyAddress.postalCode": "50667",
  "companyAddress.country": "Germany",
  vatNumber: "DE123456789",
};

export async function completeRegistration(page: Page, given: Partial<typeof COMPANY_DETAILS> = {}): Promise<void> {
  await page.getByText("Please correct or confirm the details below in order to access the service.").waitFor();
  await fill(page, { ...COMPANY_DETAILS, ...given });
  await press(page, "Continue");
  await heading(page, /^Welcome, /);
}

export async function verifyEmail(page: Page, portal: RunningPortal, customer: Customer): Promise<void> {
  await page.goto(await linkFor(portal, customer.email, "/verify-email/"));
  await heading(page, "Confirm your email address");
  await press(page, "Confirm email address");
  await page.getByText("Your email address is confirmed.").waitFor();
}

export async function logIn(
  page: Page,
  { email, password }: { email: string; password: string } = ADMIN,
): Promise<void> {
  await page.goto("/login");
  await fill(page, { email, password });
  await press(page, "Login");
  await heading(page, /^Welcome/);
}

export async function logOut(page: Page): Promise<void> {
  await press(page, "Log out");
  await page.getByRole("heading", { name: "Log in" }).waitFor();
}

export const CONTACT = {
  name: "Bernd Schmidt",
  company: "Example Parts GmbH",
  position: "Managing director",
  email: "bernd.schmidt@example-parts.com",
  addressLine1: "Domkloster 4",
  city: "Köln",
  postalCode: "50667",
  country: "Germany",
  phoneNumber: "+49 221 123456",
};

/** Buys a certificate in the wizard. Returns the number of the sales order, such as SO-1001. */
export async function buy(page: Page, csr: string): Promise<string> {
  await page.getByRole("link", { name: "Certificates", exact: true }).first().click();
  await page.getByRole("link", { name: "Purchase New Certificate" }).click();
  await heading(page, "Purchase Certificate");
  await fill(page, CONTACT);
  await press(page, "Confirm");

  await heading(page, "Purchase Certificate: order");
  await fill(page, { csrWay: "paste", csr, purchaseOrderNumber: "PO-88213", validityPeriod: "2 years" });
  await press(page, "Import");
  await page.getByText(CN).first().waitFor();
  await fill(page, { termsAndConditionsAccepted: true });
  await press(page, "Next");

  await heading(page, "Purchase Certificate: invoice address");
  await press(page, "Complete Order");
  await heading(page, "Order complete");
  const number = (await page.locator("main").innerText()).match(/SO-\d+/)?.[0];
  return number ?? "";
}

/** Presses Renew for the row with this text and confirms the previous contact. The order step is shown next. */
export async function startRenewal(page: Page, row: string): Promise<void> {
  await page.goto("/home/certificates");
  await selectCertificate(page, row);
  await press(page, "Renew");
  await heading(page, "Renew Certificate");
  expect(await page.locator('[name="email"]').inputValue()).toBe(CONTACT.email);
  await press(page, "Confirm");
  await heading(page, "Renew Certificate: order");
}

/** Completes a renewal from the order step on. Returns the number of the sales order. */
export async function renew(page: Page, csr: string, years: string): Promise<string> {
  await fill(page, { csrWay: "paste", csr, purchaseOrderNumber: "PO-99100", validityPeriod: years });
  await press(page, "Import");
  await page.getByText("They match the certificate being renewed").waitFor();
  await fill(page, { termsAndConditionsAccepted: true });
  await press(page, "Next");
  await heading(page, "Renew Certificate: invoice address");
  await press(page, "Complete Order");
  await heading(page, "Order complete");
  return (await page.locator("main").innerText()).match(/SO-\d+/)?.[0] ?? "";
}

/** Waits until what replaced a form is shown from the top of the page, where scripts also move the focus. */
const startsAtTop = (page: Page) =>
  vi.waitFor(
    async () => {
      const shown = await page.evaluate(() => [window.scrollY, document.activeElement?.id]);
      expect(shown).toEqual([0, withScripts ? "main" : ""]);
    },
    { timeout: 15_000 },
  );

/** Authorises the order as the authentication contact does: with the link in the message, without an account. */
export async function authorise(page: Page, portal: RunningPortal, orderNumber = ""): Promise<void> {
  const missing: string[] = [];
  page.on("response", (answer) => void (answer.status() === 404 && missing.push(answer.url())));
  await page.goto(await linkFor(portal, CONTACT.email, "/authorise-order/", orderNumber));
  await page.getByText(CN).first().waitFor();
  await press(page, "Authorise");
  await page.getByText("Are you sure you wish to authorise this order?").waitFor();
  await startsAtTop(page);
  await press(page, "Authorise");
  await heading(page, "Order authorised");
  await startsAtTop(page);
  await page.waitForLoadState("networkidle");
  expect(missing).toEqual([]);
}

/** Records the remaining checks and approves the order, as staff do. */
export async function approve(page: Page, orderNumber: string): Promise<void> {
  await page.goto("/home/certificate-queue");
  await page.getByRole("row").filter({ hasText: orderNumber }).getByRole("link").first().click();
  await page.getByRole("radio", { name: "Trade register seen" }).check();
  await page.getByRole("radio", { name: "Agrees with the register" }).check();
  await press(page, "Record and approve");
  await page.getByText("Are you sure you wish to approve this order and issue its certificate?").waitFor();
  await press(page, "Approve and issue");
  await page
    .getByText(/has been issued with serial number/)
    .last()
    .waitFor();
}

export const selectCertificate = (page: Page, commonName: string) =>
  page.getByRole("row").filter({ hasText: commonName }).getByRole("radio").check();

/** Downloads the certificate with the defaults of the form, unless `choose` replaces them. Returns the file. */
export async function download(page: Page, commonName: string, choose: Record<string, string> = {}): Promise<Buffer> {
  await page.goto("/home/certificates");
  await selectCertificate(page, commonName);
  await press(page, "Download");
  await heading(page, "Download certificate");
  for (const [name, value] of Object.entries(choose)) await page.locator(`[name="${name}"][value="${value}"]`).check();
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Download")]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function revoke(page: Page, commonName: string, reason: string): Promise<void> {
  await page.goto("/home/certificates");
  await selectCertificate(page, commonName);
  await press(page, "Revoke");
  await heading(page, "Revoke Certificate");
  await fill(page, { revocationReason: reason });
  await press(page, "Revoke Certificate");
  await page
    .getByText("Are you sure you wish to revoke this certificate? This process cannot be reversed.")
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Revoke Certificate" }).last().click();
  await page.getByText("The certificate has been revoked successfully.").waitFor();
}

/** Returns the status in the row of the list. */
export async function statusOf(page: Page, commonName: string): Promise<string> {
  await page.goto("/home/certificates");
  return page.getByRole("row").filter({ hasText: commonName }).locator(".tag").first().innerText();
}

/** Returns a file of the public repository, which needs no login. */
export async function repositoryFile(portal: RunningPortal, name: string): Promise<Buffer> {
  const response = await fetch(`${portal.origin}/repository/${name}`);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

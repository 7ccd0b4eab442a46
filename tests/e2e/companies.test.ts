import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import { useEarlyRenewals } from "./support/early-renewals";
import {
  approve,
  authorise,
  buy,
  CN,
  completeRegistration,
  CUSTOMER,
  type Customer,
  download,
  fill,
  heading,
  linkFor,
  logIn,
  press,
  register,
  registrationOf,
  revoke,
  startRenewal,
  statusOf,
  verifyEmail,
} from "./support/journey";

const state = useBrowser(useEarlyRenewals());
const files = useOpenssl();

const csr = () => files.makeCsr({ subject: `/C=DE/L=Köln/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] }).pem;

const person = (firstName: string, company: string): Customer => ({
  ...CUSTOMER,
  firstName,
  lastName: "Colleague",
  email: `${firstName.toLowerCase()}@example-parts.com`,
  company,
});

const TOM = person("Tom", "Example Parts GmbH");
const ROSA = person("Rosa", "Rosa's Freight GmbH");

/** Invites a person on the page of the company. Returns the link in the message. */
async function invite(owner: Page, { email }: Customer, role: string): Promise<string> {
  await owner.goto("/home/company");
  await fill(owner, { email, role });
  await press(owner, "Invite");
  await owner.getByText(`The invitation is on its way to ${email}.`).waitFor();
  return linkFor(state.portal, email, "/invitation/");
}

const PAGES = {
  Download: (id: string) => `/home/certificate-download/${id}`,
  Revoke: (id: string) => `/home/certificate/revoke/${id}`,
};

/** Looks for a button that the role does not allow, and is not there, and opens its page all the same. The portal says which roles may. */
async function refused(page: Page, button: keyof typeof PAGES, roles: string): Promise<void> {
  await page.goto("/home/certificates");
  const id = await page.getByRole("row").filter({ hasText: "Initial" }).getByRole("radio").inputValue();
  expect(await page.getByRole("button", { name: "View Details", exact: true }).count()).toBe(1);
  expect(await page.getByRole("button", { name: button, exact: true }).count()).toBe(0);
  await page.goto(PAGES[button](id));
  await page.getByText(`You need the role ${roles} in your company for this.`).first().waitFor();
}

describe(`several people of a company, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[CER-01] [CER-08] [REN-01] an owner invites colleagues; each does what the role allows, in the company chosen in the header", async () => {
    const owner = await state.open();
    await register(owner, CUSTOMER);
    await completeRegistration(owner);
    await verifyEmail(owner, state.portal, CUSTOMER);
    const first = await buy(owner, csr());
    const admin = await state.open();
    await logIn(admin);
    await authorise(await state.open(), state.portal, first);
    await approve(admin, first);

    // Tom has no account. He registers by the link and prepares the renewal, which he cannot order.
    const tom = await state.open();
    await tom.goto(await invite(owner, TOM, "Technical"));
    await heading(tom, "Join Example Parts GmbH");
    await tom.getByRole("link", { name: "Register" }).click();
    await heading(tom, "Registration");
    const { company: _, email: __, confirmEmail: ___, ...typed } = registrationOf(TOM);
    await fill(tom, typed);
    await press(tom, "Register");
    await heading(tom, "Welcome, Tom");
    expect(String(await download(tom, "Initial"))).toContain("BEGIN CERTIFICATE");
    await refused(tom, "Revoke", "Owner or Purchaser");
    expect(await tom.getByRole("link", { name: "Purchase New Certificate" }).count()).toBe(0);
    await startRenewal(tom, "Initial");
    await fill(tom, { csrWay: "paste", csr: csr(), purchaseOrderNumber: "PO-99100", validityPeriod: "1 year" });
    await press(tom, "Import");
    await tom.getByText("They match the certificate being renewed").waitFor();
    await press(tom, "Next");
    await tom.getByText("Your role prepares renewals.").waitFor();
    await press(tom, "Hand over to a purchaser");
    await tom.getByText("We have written to one owner or purchaser of your company.").waitFor();

    // Rosa has a company of her own. She joins as a reader, becomes a purchaser, and orders the renewal.
    const rosa = await state.open();
    await register(rosa, ROSA);
    await completeRegistration(rosa, { companyRegistrationNumber: "HRB 777" });
    await rosa.goto(await invite(owner, ROSA, "Reader"));
    await press(rosa, "Join the company");
    await heading(rosa, "Your company");
    await rosa.goto("/home/certificates");
    await rosa.getByText(CN).first().waitFor();
    expect(await rosa.getByText("Renewals that colleagues have prepared").count()).toBe(0);
    expect(await rosa.getByRole("link", { name: "Purchase New Certificate" }).count()).toBe(0);
    await refused(rosa, "Download", "Owner, Purchaser or Technical");
    await refused(rosa, "Revoke", "Owner or Purchaser");
    await owner.goto("/home/company");
    await owner.getByRole("row").filter({ hasText: ROSA.email }).getByRole("link").click();
    await heading(owner, "Rosa Colleague");
    await fill(owner, { role: "Purchaser" });
    await press(owner, "Save");
    await owner.getByText("Rosa Colleague has the role Purchaser now.").waitFor();
    await rosa.goto("/home/certificates");
    await rosa.getByRole("link", { name: /^Check and order/ }).click();
    await heading(rosa, "Renew Certificate: invoice address");
    await rosa.getByText("has prepared and handed over this renewal on").waitFor();
    await fill(rosa, { termsAndConditionsAccepted: true });
    await press(rosa, "Complete Order");
    await heading(rosa, "Order complete");

    // In her own company she sees nothing of it. Switched back, she does, until she is removed.
    await fill(rosa, { company: ROSA.company });
    await press(rosa, "Switch");
    await rosa.getByText(`You work for ${ROSA.company} now.`).waitFor();
    await rosa.goto("/home/certificates");
    expect(await rosa.getByText(CN).count()).toBe(0);
    await fill(rosa, { company: CUSTOMER.company });
    await press(rosa, "Switch");
    await rosa.getByText(`You work for ${CUSTOMER.company} now.`).waitFor();
    expect(await statusOf(rosa, CN)).toBe("Pending");

    // As a purchaser she orders, downloads and revokes for the company; everybody in it sees what was done.
    expect(await rosa.getByRole("link", { name: "Purchase New Certificate" }).count()).toBe(1);
    expect(String(await download(rosa, "Initial"))).toContain("BEGIN CERTIFICATE");
    await revoke(rosa, "Initial", "Superseded");
    for (const page of [owner, tom]) expect(await statusOf(page, "Initial")).toBe("Revoked");
    await owner.goto("/home/company");
    await owner.getByRole("row").filter({ hasText: ROSA.email }).getByRole("link").click();
    await press(owner, "Remove from the company");
    await owner.getByText("Are you sure you wish to remove Rosa Colleague from Example Parts GmbH?").waitFor();
    await press(owner, "Remove");
    await owner.getByText("The member was removed.").waitFor();
    await rosa.goto("/home/certificates");
    expect(await rosa.getByText(CN).count()).toBe(0);
    expect(await rosa.getByRole("button", { name: "Switch" }).count()).toBe(0);
  });
});

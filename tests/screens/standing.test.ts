import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { useEarlyRenewals } from "../e2e/support/early-renewals";
import { CN, fill, heading, press } from "../e2e/support/journey";
import { useOpenssl } from "../support/openssl";
import { administrator, buyTwo, registered } from "./support/people";
import { checkScreens, go, refused, type Screens } from "./support/screens";

const state = useBrowser(useEarlyRenewals());
const files = useOpenssl();
let customer: Page;
let admin: Page;

beforeAll(async () => {
  admin = await administrator(state);
  customer = await registered(state);
  await buyTwo(state, files, { customer, admin });
});

const OWN = "/home/company/standing-authorisations";
const STAFF = "/home/standing-authorisations";

const renewing = async () => {
  await customer.goto("/home/certificates/renewals");
  await heading(customer, "Renew several certificates");
  return customer;
};

/** The screens of standing authorisations with their ACME keys, and of several renewals at once. */
const screens: Screens = {
  "standing authorisations, none": go(() => customer, OWN),
  "ask for a standing authorisation, refused": async () => {
    await customer.goto(`${OWN}/new`);
    return refused(customer, "Ask for it");
  },
  "a standing authorisation that waits": async () => {
    await fill(customer, {
      purchaseOrderNumber: "PO-STANDING",
      ceilingCertificates: "20",
      termsAndConditionsAccepted: true,
    });
    await press(customer, "Ask for it");
    await heading(customer, "Standing authorisation 1");
    return customer;
  },
  "a standing authorisation for staff, check refused": async () => {
    await admin.goto(`${STAFF}/1`);
    return refused(admin, "Record that the contact agrees");
  },
  "a standing authorisation for staff, in force": async () => {
    await fill(admin, { note: "Called back through the switchboard" });
    await press(admin, "Record that the contact agrees");
    await press(admin, "Approve");
    await admin.getByText("Standing authorisation 1 is in force.").waitFor();
    return admin;
  },
  "standing authorisations for staff": go(() => admin, STAFF),
  "confirm to the signer, not needed": go(() => admin, `${STAFF}/1/confirm`),
  "standing authorisations": go(() => customer, OWN),
  "new ACME key, refused": async () => {
    await customer.goto(`${OWN}/1/acme-keys`);
    return refused(customer, "Make the key");
  },
  "a new ACME key": async () => {
    await fill(customer, { description: "Web server in Cologne" });
    await press(customer, "Make the key");
    await heading(customer, "The new ACME key");
    return customer;
  },
  "ACME keys": go(() => customer, `${OWN}/1/acme-keys`),
  "an ACME key, to be revoked": async () => {
    await customer.getByRole("button", { name: "Revoke Web server in Cologne" }).click();
    await customer
      .getByText(/^Are you sure you wish to revoke this key/)
      .first()
      .waitFor();
    return customer;
  },
  "several renewals": renewing,
  "several renewals, a CSR refused": async () => {
    const page = await renewing();
    await fill(page, { csr: files.makeCsr({ subject: "/C=DE/O=Other/CN=other.example.com" }).pem });
    await press(page, "Match");
    await page.getByText("There is a problem").waitFor();
    return page;
  },
  "several renewals, matched": async () => {
    const page = await renewing();
    const subject = `/C=DE/L=Koeln/O=Example Parts GmbH/OU=IT/CN=${CN}`;
    await fill(page, { csr: files.makeCsr({ subject, san: [`DNS:${CN}`] }).pem });
    await press(page, "Match");
    await page.getByText("Matched").first().waitFor();
    return page;
  },
};

checkScreens(screens);

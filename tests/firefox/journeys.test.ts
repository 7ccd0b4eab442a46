import { describe, expect, test } from "vitest";
import { paths } from "~/lib/paths";
import { giveCertificateOrder } from "../e2e/support/codes";
import { CN, COMPANY_DETAILS, CONTACT, CUSTOMER, linkFor, registrationOf } from "../e2e/support/journey";
import { ADMIN } from "../e2e/support/running-portal";
import { App, keyOn } from "../support/authenticator-app";
import { useOpenssl } from "../support/openssl";
import { useFirefox, type Visitor } from "./support/firefox";

const files = useOpenssl();

async function register(visitor: Visitor, email: string): Promise<void> {
  await visitor.open("/register");
  await visitor.fill(registrationOf({ ...CUSTOMER, email }));
  await visitor.press("Register");
  await visitor.sees("Company Registration");
}

async function registerCompany(visitor: Visitor, email: string): Promise<void> {
  await register(visitor, email);
  await visitor.fill(COMPANY_DETAILS);
  await visitor.press("Continue");
  await visitor.sees("Welcome, Anna");
}

async function logInAsStaff(visitor: Visitor): Promise<void> {
  await visitor.open("/login");
  await visitor.fill(ADMIN);
  await visitor.press("Login");
  await visitor.sees("Welcome");
}

describe.each([
  ["on", true],
  ["off", false],
])("Firefox, scripts %s", (_, withScripts) => {
  const state = useFirefox(withScripts);

  test("[LOG-02] [LOG-08] a wrong password gets a message and keeps the user name; then login and logout work", async () => {
    const visitor = await state.visit();
    await register(visitor, "login@example-parts.com");
    await visitor.press("Log out");
    await visitor.sees("Log in");
    await visitor.fill({ email: "login@example-parts.com", password: "not the password" });
    await visitor.press("Login");
    await visitor.sees("There is a problem");
    expect(await visitor.valueOf("email")).toBe("login@example-parts.com");
    await visitor.fill({ password: CUSTOMER.password });
    await visitor.press("Login");
    await visitor.sees("Company Registration");
    await visitor.press("Log out");
    await visitor.sees("Log in");
    await visitor.open("/home/certificates");
    await visitor.sees("Log in");
  });

  test("[LOG-01] [USR-01] an authenticator app is added, and its next code logs in", async () => {
    const visitor = await state.visit();
    const email = "factor@example-parts.com";
    await registerCompany(visitor, email);
    await visitor.open(paths.secondFactors());
    await visitor.press("Add an authenticator app");
    await visitor.sees("Key:");
    const app = new App(keyOn(await visitor.text()));
    await visitor.fill({ code: app.code() });
    await visitor.press("Add the app");
    await visitor.sees("Your recovery codes");
    expect(await visitor.beyondNarrowScreen()).toBe(0);
    await visitor.press("Log out");
    await visitor.sees("Log in");
    await visitor.fill({ email, password: CUSTOMER.password });
    await visitor.press("Login");
    await visitor.sees("Your password is right.");
    expect(await visitor.beyondNarrowScreen()).toBe(0);
    await visitor.fill({ code: app.code() });
    await visitor.press("Log in");
    await visitor.sees("Welcome, Anna");
  });

  test("[REG-03] [PUR-01] [PUR-10] a company registers and buys a certificate with its own CSR", async () => {
    const visitor = await state.visit();
    await registerCompany(visitor, CUSTOMER.email);
    await visitor.press("Certificates");
    await visitor.press("Purchase New Certificate");
    await visitor.sees("Purchase Certificate");
    await visitor.fill(CONTACT);
    await visitor.press("Confirm");
    await visitor.sees("Purchase Certificate: order");
    const { pem } = files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] });
    await visitor.fill({ csrWay: "paste", csr: pem, purchaseOrderNumber: "PO-88213", validityPeriod: "2 years" });
    await visitor.press("Import");
    await visitor.sees("Details of your CSR");
    expect(await visitor.valueOf("purchaseOrderNumber")).toBe("PO-88213");
    await visitor.fill({ termsAndConditionsAccepted: true });
    await visitor.press("Next");
    await visitor.sees("Purchase Certificate: invoice address");
    await visitor.press("Complete Order");
    await visitor.sees("Thank you for your purchase.");
    await visitor.press("Certificates");
    await visitor.sees("Purchase New Certificate");
    await visitor.sees(CN);
  });

  test("[MAN-03] [REV-02] [REV-03] staff record the checks of an order and approve it; its owner revokes the certificate", async () => {
    const [owner, staff] = [await state.visit(), await state.visit()];
    const email = "revoking@example-parts.com";
    await registerCompany(owner, email);
    await owner.open(await linkFor(state.portal, email, "/verify-email/"));
    await owner.press("Confirm email address");
    await owner.sees("Your email address is confirmed.");
    const { pem } = files.makeCsr({ subject: "/C=DE/O=Example Parts GmbH/CN=gateway.example-parts.com" });
    const id = await giveCertificateOrder(state.portal, email, pem);

    await logInAsStaff(staff);
    await staff.open(paths.certificateQueueOrder(id));
    await staff.fill({ contact: "other" });
    await staff.fill({ contactNote: "Seen: the contact" });
    await staff.fill({ organisation: "Trade register seen", csr: "Agrees with the register" });
    await staff.press("Record and approve");
    await staff.sees("Are you sure you wish to approve this order and issue its certificate?");
    await staff.press("Approve and issue");
    await staff.sees("has been issued with serial number");
    expect(await staff.beyondNarrowScreen()).toBe(0);

    await owner.open(paths.certificateDetails(id));
    await owner.sees("Issued");
    await owner.press("Revoke");
    await owner.fill({ revocationReason: "Superseded" });
    await owner.press("Revoke Certificate");
    await owner.sees("Are you sure you wish to revoke this certificate? This process cannot be reversed.");
    await owner.press("Revoke Certificate");
    await owner.sees("The certificate has been revoked successfully.");
  });

  test("[CPO-01] [CPO-04] [COD-01] a company orders codes by invoice, staff record the payment, and it can register an entity", async () => {
    const [owner, staff] = [await state.visit(), await state.visit()];
    await registerCompany(owner, "codes@example-parts.com");
    await owner.press("ID Codes");
    await owner.press("Purchase New ID Code");
    await owner.press("Confirm");
    await owner.sees("Purchase ID codes: order");
    await owner.fill({ purchaseOrderNumber: "PO-4711", productType: "OSCAR Code Basic, €300.00", quantity: "3" });
    await owner.fill({ termsAndConditionsAccepted: true });
    await owner.press("Next");
    await owner.sees("€900.00");
    await owner.press("Complete Order");
    await owner.sees("Total Order Cost");
    const order = /SO-\d+/.exec(await owner.text())?.[0] ?? "none";

    await logInAsStaff(staff);
    await staff.press("View ID Codes");
    await staff.press(order);
    await staff.sees("Sale Order Details");
    await staff.fill({ status: "Paid" });
    await staff.press("Update");
    await staff.sees("Its status is Paid.");

    await owner.press("ID Codes");
    await owner.press("Register Entity of the type OSCAR Code Basic");
    await owner.sees("Entity name");
  });

  if (withScripts)
    test("[REG-05] a changed form asks before it is left", async () => {
      const visitor = await state.visit();
      await register(visitor, "leaving@example-parts.com");
      await visitor.fill({ companyRegistrationNumber: "HRB 1" });
      await visitor.press("Log out");
      await visitor.sees("Do you really want to cancel?");
      await visitor.press("No");
      expect(await visitor.valueOf("companyRegistrationNumber")).toBe("HRB 1");
    });
});

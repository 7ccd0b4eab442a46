import { describe, expect, test } from "vitest";
import { CN, CONTACT, CUSTOMER, registrationOf } from "../e2e/support/journey";
import { useOpenssl } from "../support/openssl";
import { useFirefox, type Visitor } from "./support/firefox";

const files = useOpenssl();

async function register(visitor: Visitor, email: string): Promise<void> {
  await visitor.open("/register");
  await visitor.fill(registrationOf({ ...CUSTOMER, email }));
  await visitor.press("Register");
  await visitor.sees("Company Registration");
}

describe.each([
  ["on", true],
  ["off", false],
])("Firefox, scripts %s", (_, withScripts) => {
  const state = useFirefox(withScripts);

  test("[LOG-02] [LOG-08] a wrong password is named and leaves what was typed; then in, and out again", async () => {
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

  test("[REG-03] [PUR-01] [PUR-10] a company registers and buys a certificate with its own CSR", async () => {
    const visitor = await state.visit();
    await register(visitor, CUSTOMER.email);
    await visitor.fill({
      companyRegistrationNumber: "HRB 12345",
      "companyAddress.addressLine1": "Domkloster 4",
      "companyAddress.city": "Köln",
      "companyAddress.postalCode": "50667",
      "companyAddress.country": "Germany",
      vatNumber: "DE123456789",
    });
    await visitor.press("Continue");
    await visitor.sees("Welcome, Anna");

    await visitor.press("Certificates");
    await visitor.press("Purchase New Certificate");
    await visitor.sees("Purchase Certificate");
    await visitor.fill(CONTACT);
    await visitor.press("Confirm");
    await visitor.sees("Purchase Certificate: order");
    const { pem } = files.makeCsr({ subject: `/C=DE/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] });
    await visitor.fill({ csr: pem, purchaseOrderNumber: "PO-88213", validityPeriod: "2 years" });
    await visitor.press("Import");
    await visitor.sees("Details of your CSR");
    expect(await visitor.valueOf("purchaseOrderNumber")).toBe("PO-88213");
    await visitor.fill({ termsAndConditionsAccepted: true });
    await visitor.press("Next");
    await visitor.sees("Purchase Certificate: invoice address");
    await visitor.press("Complete Order");
    await visitor.sees("Order complete");
    await visitor.press("Certificates");
    await visitor.sees("Purchase New Certificate");
    await visitor.sees(CN);
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

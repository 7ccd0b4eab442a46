import { type Page } from "playwright";
import { beforeAll } from "vitest";
import { useBrowser } from "../e2e/support/browser";
import { useEarlyRenewals } from "../e2e/support/early-renewals";
import { CN, CONTACT, fill, heading, linkFor, press, selectCertificate, startRenewal } from "../e2e/support/journey";
import { useOpenssl } from "../support/openssl";
import { administrator, buyTwo, registered } from "./support/people";
import { checkScreens, go, idOf, refused, type Screens } from "./support/screens";

const state = useBrowser(useEarlyRenewals());
const files = useOpenssl();
let customer: Page;
let admin: Page;
let pendingOrder = "";

beforeAll(async () => {
  admin = await administrator(state);
  customer = await registered(state);
  pendingOrder = await buyTwo(state, files, { customer, admin });
});

const withIssued = (button: string, title: string) => async () => {
  await customer.goto("/home/certificates");
  await selectCertificate(customer, "Issued");
  await press(customer, button);
  await heading(customer, title);
  return customer;
};
const revoking = withIssued("Revoke", "Revoke Certificate");

const purchasing = async () => {
  await customer.goto("/home/certificate/purchase/contact-details");
  await customer.getByText("Authentication Contact Details").first().waitFor();
  return customer;
};
const ordering = async () => {
  const page = await purchasing();
  await fill(page, CONTACT);
  await press(page, "Confirm");
  await heading(page, "Purchase Certificate: order");
  return page;
};
const imported = async () => {
  const page = await ordering();
  const { pem } = files.makeCsr({ subject: `/C=DE/L=Koeln/O=Example Parts GmbH/CN=${CN}` });
  await fill(page, { csrWay: "paste", csr: pem, purchaseOrderNumber: "PO-1" });
  await press(page, "Import");
  await page.getByText(CN).first().waitFor();
  return page;
};
const invoiced = async () => {
  const page = await imported();
  await fill(page, { termsAndConditionsAccepted: true });
  await press(page, "Next");
  await heading(page, "Purchase Certificate: invoice address");
  return page;
};

const reissuing = async () => {
  await admin.goto(await idOf(admin, "Issued"));
  await admin.getByRole("link", { name: "Reissue" }).click();
  return heading(admin, "Reissue certificate").then(() => admin);
};

const correcting = async () => {
  await customer.goto(await idOf(customer, "Issued"));
  await customer.getByRole("link", { name: "Correct host or usage" }).click();
  return heading(customer, "Correct certificate").then(() => customer);
};

const correctingOrder = async () => {
  await customer.goto(await idOf(customer, "Issued"));
  await customer.getByRole("link", { name: "Correct it" }).click();
  return heading(customer, "Correct an order").then(() => customer);
};
const correctingPart = async (name: string) => {
  const page = await correctingOrder();
  await page.getByRole("link", { name }).click();
  await page.locator('[name="company"]').waitFor();
  return page;
};

const renewing = async () => {
  await startRenewal(customer, "Issued");
  return customer;
};
const renewalImported = async () => {
  const page = await renewing();
  const subject = `/C=DE/L=Koeln/O=Example Parts GmbH/OU=IT/CN=${CN}`;
  await fill(page, {
    csrWay: "paste",
    csr: files.makeCsr({ subject, san: [`DNS:${CN}`] }).pem,
    purchaseOrderNumber: "PO-2",
  });
  await press(page, "Import");
  await page.getByText("They match the certificate being renewed").waitFor();
  return page;
};
const renewalInvoiced = async () => {
  const page = await renewalImported();
  await fill(page, { termsAndConditionsAccepted: true, validityPeriod: "0 years" });
  await press(page, "Next");
  await heading(page, "Renew Certificate: invoice address");
  return page;
};

const PARTNER = "karl.meier@example.net";

const partnersOf = async () => {
  await customer.goto(await idOf(customer, "Issued"));
  await customer.getByRole("link", { name: "Partners" }).click();
  await heading(customer, /^Partners of/);
  return customer;
};

/** The screens about certificates, for customers and staff. */
const screens: Screens = {
  certificates: go(() => customer, "/home/certificates"),
  "certificates, nothing found": go(() => customer, "/home/certificates?search=nothing"),
  "certificates, a row chosen": async () => {
    await customer.goto("/home/certificates");
    await selectCertificate(customer, "Issued");
    return customer;
  },
  "all certificates": go(() => admin, "/home/certificates"),
  "details of an issued certificate": async () => {
    await customer.goto(await idOf(customer, "Issued"));
    return customer;
  },
  "details of a pending order": async () => {
    await customer.goto(await idOf(customer, "Pending"));
    return customer;
  },
  download: withIssued("Download", "Download certificate"),
  "partners, none yet": partnersOf,
  "partners, refused": async () => {
    const page = await partnersOf();
    await fill(page, { partners: "nobody" });
    return refused(page, "Add");
  },
  partners: async () => {
    const page = await partnersOf();
    await fill(page, { partners: `${PARTNER},Karl Meier\nplant-of-the-north@example.org` });
    await press(page, "Add");
    await page.getByText("Partners that were added: 2.").waitFor();
    return page;
  },
  "partners, days until the switch refused": async () => {
    await fill(customer, { switchDays: "400" });
    await press(customer, "Save");
    await customer.locator(".errors").waitFor();
    return customer;
  },
  "partners, renewals publish themselves": async () => {
    await fill(customer, { switchDays: "14" });
    await press(customer, "Save");
    await customer.getByText("Renewals are published by themselves").first().waitFor();
    return customer;
  },
  "partners, to be published": async () => {
    await press(customer, "Publish");
    await customer.getByText("Each gets a message with a link").first().waitFor();
    return customer;
  },
  "certificate of a partner": async () => {
    await customer.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await customer.getByText("has been published to 2 partners").waitFor();
    await customer.goto(await linkFor(state.portal, PARTNER, "/new-certificate/"));
    await heading(customer, /^New certificate for/);
    return customer;
  },
  "certificate of a partner, confirmed": async () => {
    await press(customer, "I have imported it");
    await heading(customer, "Import confirmed");
    return customer;
  },
  "partners, one confirmed": async () => {
    const page = await partnersOf();
    await page.getByText("1 of 2 have confirmed").waitFor();
    return page;
  },
  revoke: revoking,
  "revoke, to be confirmed": async () => {
    const page = await revoking();
    await fill(page, { revocationReason: "Superseded" });
    await press(page, "Revoke Certificate");
    await page.getByText("This process cannot be reversed.").first().waitFor();
    return page;
  },
  "purchase, contact details": purchasing,
  "purchase, contact details refused": async () => {
    const page = await purchasing();
    await fill(page, { name: "", email: "nobody" });
    return refused(page, "Confirm");
  },
  "purchase, order": ordering,
  "purchase, order refused": async () => {
    const page = await ordering();
    await fill(page, { showUsageAttributes: true });
    return refused(page, "Next");
  },
  "purchase, order imported": imported,
  "purchase, invoice address": invoiced,
  "purchase, order complete": async () => {
    const page = await invoiced();
    await press(page, "Complete Order");
    await heading(page, "Order complete");
    return page;
  },
  queue: go(() => admin, "/home/certificate-queue"),
  "order in the queue": async () => {
    await admin.goto(await idOf(admin, pendingOrder, "/home/certificate-queue"));
    return admin;
  },
  "order in the queue, taken and commented": async () => {
    await admin.goto(await idOf(admin, pendingOrder, "/home/certificate-queue"));
    await press(admin, "Take");
    await admin.locator("#work").getByText("You work on this order now.").waitFor();
    await fill(admin, {
      comment: "Called the plant: the contact is back on Monday.\nA second address is in the register.",
    });
    await press(admin, "Add comment");
    await admin.locator("#comments").getByText("The comment was added.").waitFor();
    await admin.evaluate(() => scrollTo(0, 0)); // otherwise the decision covers a part of a choice
    return admin;
  },
  "evidence for a check, refused": async () => {
    await admin.goto(await idOf(admin, pendingOrder, "/home/certificate-queue"));
    await admin.getByRole("link", { name: "Add evidence" }).click();
    await heading(admin, "Add evidence");
    await fill(admin, { check: "CSR and company", text: "The register says the same.", reference: "HRB 12345" });
    await press(admin, "Add evidence");
    await admin.locator("#decision").getByText("The evidence was added.").waitFor();
    await admin.getByRole("link", { name: "Add evidence" }).click();
    await heading(admin, "Add evidence");
    return refused(admin, "Add evidence");
  },
  "contacts of selected orders, to be confirmed": async () => {
    await admin.goto("/home/certificate-queue");
    await admin.locator("#pending-orders tbody").getByRole("checkbox").first().check();
    await press(admin, "Remind selected contacts");
    await heading(admin, "Remind contacts");
    return admin;
  },
  "order in the queue, payment refused": async () => {
    await admin.goto(await idOf(admin, pendingOrder, "/home/certificate-queue"));
    await admin.locator("summary", { hasText: "Invoice and payment" }).click();
    await fill(admin, { invoiceNumber: "2026-0001", invoiceTotal: "1.234" });
    return refused(admin, "Update");
  },
  reissue: reissuing,
  "reissue, to be confirmed": async () => {
    const page = await reissuing();
    const names = { subject: `/C=DE/L=Koeln/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] };
    await fill(page, { csr: files.makeCsr(names).pem, reason: "Key lost" });
    await press(page, "Reissue certificate");
    await page.getByText("Are you sure you wish to reissue this certificate").first().waitFor();
    return page;
  },
  correction: correcting,
  "correction, refused": async () => {
    const page = await correcting();
    const subject = "/C=DE/L=Bonn/O=Example Parts GmbH/CN=edi.unconfirmed.example";
    await fill(page, { csr: files.makeCsr({ subject }).pem });
    return refused(page, "Check the correction");
  },
  "correction, to be confirmed": async () => {
    const page = await correcting();
    const names = { subject: `/C=DE/L=Koeln/O=Example Parts GmbH/CN=${CN}`, san: [`DNS:${CN}`] };
    await fill(page, { csr: files.makeCsr(names).pem, hasFileSigning: false });
    await press(page, "Check the correction");
    await page.getByText("Do you want to order this correction").first().waitFor();
    return page;
  },
  "correction of an order": correctingOrder,
  "correction of an order, order and invoice": () => correctingPart("Correct order and invoice"),
  "correction of an order, refused": async () => {
    const page = await correctingPart("Correct order and invoice");
    await fill(page, { purchaseOrderNumber: "", name: "" });
    return refused(page, "Continue");
  },
  "correction of an order, to be confirmed": async () => {
    const page = await correctingPart("Correct order and invoice");
    await fill(page, {
      purchaseOrderNumber: "PO-4711",
      company: "Example Parts Holding GmbH",
      addressLine1: "Ringstr. 9",
    });
    await press(page, "Continue");
    await page
      .getByText(/Are you sure you wish to correct order SO-\d+ and replace its invoice\?/)
      .first()
      .waitFor();
    return page;
  },
  "correction of an order, done": async () => {
    const page = await correctingPart("Correct technical contact");
    await fill(page, { phoneNumber: "+49 221 998877" });
    await press(page, "Continue");
    await page
      .getByText(/Are you sure you wish to correct order SO-\d+\?/)
      .first()
      .waitFor();
    await press(page, "Correct order");
    await page.getByText("Correction COR-").first().waitFor();
    return page;
  },
  "correction of an order, authentication contact": () => correctingPart("Correct authentication contact"),
  "renewal, contact details": withIssued("Renew", "Renew Certificate"),
  "renewal, order": renewing,
  "renewal, order refused": async () => {
    const page = await renewing();
    await fill(page, { csrWay: "paste", csr: files.makeCsr().pem });
    return refused(page, "Import");
  },
  "renewal, order imported": renewalImported,
  "renewal, invoice address": renewalInvoiced,
  "renewal, order complete": async () => {
    const page = await renewalInvoiced();
    await press(page, "Complete Order");
    await heading(page, "Order complete");
    return page;
  },
  "details of a certificate whose renewal is pending": async () => {
    await customer.goto(await idOf(customer, "Issued"));
    await customer.getByText("Followed by certificate").waitFor();
    return customer;
  },
};

checkScreens(screens);

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
  CONTACT,
  CUSTOMER,
  fill,
  heading,
  logIn,
  press,
  register,
  verifyEmail,
} from "./support/journey";

const state = useBrowser(useEarlyRenewals());
const files = useOpenssl();
const HOSTS = [`plant1.${CN}`, `plant2.${CN}`] as const;

const csrFor = (host: string, company = "Example Parts GmbH") =>
  files.makeCsr({ subject: `/C=DE/L=Köln/O=${company}/OU=EDI/CN=${host}`, san: [`DNS:${host}`] });

describe(`renewal of several certificates, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[REN-01] [REN-03] CSRs of the text box and of a file are matched, and one confirmation orders both renewals", async () => {
    const page = await state.open();
    await register(page, CUSTOMER);
    await completeRegistration(page);
    await verifyEmail(page, state.portal, CUSTOMER);
    const admin = await state.open();
    await logIn(admin);
    for (const host of HOSTS) {
      const order = await buy(page, csrFor(host).pem);
      await authorise(await state.open(), state.portal, order);
      await approve(admin, order);
    }

    await page.goto("/home/certificates");
    await page.getByRole("link", { name: "Renew several with one form" }).click();
    await heading(page, "Renew several certificates");
    const row = (host: string) => page.getByRole("row").filter({ hasText: host });
    await row(HOSTS[0]).getByText("Needs a CSR").waitFor();
    const wrong = csrFor(HOSTS[1], "Another Company Ltd");
    await fill(page, { csr: csrFor(HOSTS[0]).pem + wrong.pem });
    await press(page, "Match");
    await row(HOSTS[0]).getByText("Matched").waitFor();
    await row(HOSTS[1]).getByText("Organisation name: Received Another Company Ltd").waitFor();

    const kept = await page.locator('[name="csr"]').inputValue();
    expect(kept.match(/BEGIN/g)).toHaveLength(2);
    await fill(page, { csr: kept.replace(/\r\n/g, "\n").replace(wrong.pem.trim(), "") });
    const buffer = Buffer.from(csrFor(HOSTS[1]).pem);
    await page
      .locator('[name="csrFile"]')
      .setInputFiles({ name: "plant2.csr", mimeType: "application/pkcs10", buffer });
    await fill(page, { ...CONTACT, purchaseOrderNumber: "PO-2027", termsAndConditionsAccepted: true });
    await press(page, "Order the renewals");
    await page.getByText("Are you sure you wish to order 2 renewals for €").waitFor();
    await press(page, "Complete Order");
    await heading(page, "Renewals ordered");
    await page.getByText("2 of 2 renewals are ordered.").waitFor();
    await page.getByRole("link", { name: "Follow the orders" }).click();
    for (const host of HOSTS) await page.getByRole("row").filter({ hasText: host }).getByText("Renewal").waitFor();
  });
});

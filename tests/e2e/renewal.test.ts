import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseCertificate } from "~/ca/certificate/parse.server";
import { openssl, useOpenssl } from "../support/openssl";
import { poppler } from "../support/pdf";
import { useBrowser, withScripts } from "./support/browser";
import { useEarlyRenewals } from "./support/early-renewals";
import {
  approve,
  authorise,
  buy,
  CN,
  completeRegistration,
  CUSTOMER,
  download,
  fill,
  heading,
  logIn,
  press,
  register,
  renew,
  startRenewal,
  verifyEmail,
} from "./support/journey";

const state = useBrowser(useEarlyRenewals());
const files = useOpenssl();
const SUBJECT = `/C=DE/L=Köln/O=Example Parts GmbH/OU=EDI/CN=${CN}`;
const SAN = [`DNS:${CN}`];

describe(`renewal, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[REN-01] [REN-02] [REN-03] [REN-04] [CER-04] a company renews its certificate, and partners recognise the successor", async () => {
    const page = await state.open();
    await register(page, CUSTOMER);
    await completeRegistration(page);
    await verifyEmail(page, state.portal, CUSTOMER);
    const first = await buy(page, files.makeCsr({ subject: SUBJECT, san: SAN }).pem);
    const admin = await state.open();
    await logIn(admin);
    await authorise(await state.open(), state.portal, first);
    await approve(admin, first);
    const before = new X509Certificate(await download(page, "Initial"));

    await startRenewal(page, "Initial");
    expect(await page.locator('[name="promoCode"]').count()).toBe(0);
    expect(await page.locator('[name="hasEmail"]').count()).toBe(0);
    await page.getByText("Subject, issuer and usage stay the same").waitFor();
    const wrong = files.makeCsr({ subject: SUBJECT.replace("Köln", "Bonn"), san: SAN });
    await fill(page, { csrWay: "paste", csr: wrong.pem, purchaseOrderNumber: "PO-99100", validityPeriod: "0 years" });
    await press(page, "Import");
    await page.getByText("There is a problem").waitFor();
    const summary = page.getByRole("alert");
    expect(await summary.innerText()).toContain(
      "The details from the original certificate and the new CSR must be identical...\nLocation: Received Bonn, Expected Köln",
    );
    if (!withScripts) await press(page, "Update total");
    await page.getByText("Total order cost (0 years)").waitFor();
    expect(await page.locator("aside").innerText()).toMatch(/Balance to pay\s+€0\.00/);

    // The total would be more than 5 years: two remain and four are added.
    await fill(page, {
      csr: files.makeCsr({ subject: SUBJECT, san: SAN }).pem,
      validityPeriod: "4 years (not possible)",
    });
    await press(page, "Import");
    await page.getByText("They match the certificate being renewed").waitFor();
    await fill(page, { termsAndConditionsAccepted: true });
    await press(page, "Next");
    await page.getByText("The total validity would exceed 5 years").first().waitFor();
    const csr = files.makeCsr({
      subject: SUBJECT.replace("/OU=EDI", "/OU=IT").toUpperCase().replace("CN=OFTP", "CN=oftp"),
      san: SAN,
    });
    const second = await renew(page, csr.pem, "1 year");
    expect(await page.title()).toMatch(/Order complete - Renew Certificate - step 4 of 4/);
    expect(await page.locator("main").innerText()).toContain("€290.00");

    await page.goto("/home/certificates");
    await page.getByRole("row").filter({ hasText: "Initial" }).getByRole("radio").check();
    if (!withScripts) await press(page, "Renew"); // with scripts, the button is disabled and the reason is already shown
    await page.getByText(`Order ${second} for its renewal is pending.`).first().waitFor();

    await authorise(await state.open(), state.portal, second);
    await approve(admin, second);
    const leaf = files.file("pem", await download(page, "Renewal ["));
    const issuing = files.file("pem", await download(page, "Renewal [", { certificateType: "issuing" }));
    const root = files.file("pem", await download(page, "Renewal [", { certificateType: "root" }));
    expect(openssl(["verify", "-x509_strict", "-CAfile", root, "-untrusted", issuing, leaf])).toContain(": OK\n");
    const after = new X509Certificate(openssl(["x509", "-in", leaf]));
    const [one, other] = [parseCertificate(before.raw), parseCertificate(after.raw)];
    expect(other.subject.der).toEqual(one.subject.der);
    expect(other.issuer.der).toEqual(one.issuer.der);
    const usage = (certificate: X509Certificate) =>
      openssl(["x509", "-inform", "DER", "-noout", "-ext", "keyUsage,extendedKeyUsage"], certificate.raw);
    expect(usage(after)).toBe(usage(before));
    expect(after.publicKey.equals(before.publicKey)).toBe(false);
    const [end, year] = [new Date(before.validTo), 365 * 86_400_000];
    expect(new Date(after.validTo).getTime() - end.getTime()).toBeGreaterThanOrEqual(year);

    await page.goto("/home/certificates");
    const row = page.getByRole("row").filter({ hasText: "Initial" });
    expect(await row.locator(".tag").first().innerText()).toBe("Renewed");
    await row.getByRole("link").first().click();
    await heading(page, `Certificate ${CN}`);
    const lineage = page.getByRole("region", { name: "Renewals and replacements" });
    await lineage.getByText("Followed by certificate").waitFor();
    await lineage.getByRole("link").click();
    await page.getByText("Follows certificate").waitFor();
    expect(poppler("pdfinfo", await page.pdf({ preferCSSPageSize: true }))).toMatch(/Pages:\s+1\n/);
    // The job that delivers messages runs every few seconds.
    const toldOfPartners = async () =>
      (await state.portal.mails())
        .filter((mail) => mail.text?.includes("What your partners need"))
        .map((mail) => mail.to?.[0]?.address);
    await expect.poll(toldOfPartners, { timeout: 60_000, interval: 500 }).toEqual([CUSTOMER.email]);
  });
});

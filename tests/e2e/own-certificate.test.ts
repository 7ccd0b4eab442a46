import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page } from "playwright";
import { describe, expect, test } from "vitest";
import { openssl } from "../support/openssl-command";
import { useBrowser, withScripts } from "./support/browser";
import { giveCertificate } from "./support/codes";
import { completeRegistration, CUSTOMER, fill, heading, press, register, statusOf } from "./support/journey";

const state = useBrowser();
const NAME = "oftp2.plant.example";

/** Creates a customer with one issued certificate. Returns the customer's page, and the id of the certificate. */
async function owner(name: string): Promise<{ page: Page; id: number }> {
  const page = await state.open();
  const email = `${name}@example-parts.com`;
  await register(page, { ...CUSTOMER, email });
  await completeRegistration(page);
  return { page, id: await giveCertificate(state.portal, email, NAME) };
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe(`one's own certificate, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[CER-07] a chain in DER and a bundle's extension cannot be chosen with scripts; without them the answer says why", async () => {
    const { page, id } = await owner("download");
    await page.goto(`/home/certificate-download/${id}`);
    const choice = (value: string) => page.locator(`input[value="${value}"]`);
    const extension = page.locator('[name="fileExtension"]');
    const note = "A chain of certificates can only be encoded as PEM.";

    await choice("bundle").check();
    expect(await extension.isVisible()).toBe(false);
    await choice("DER").check();
    await choice("chain").check();
    expect(await extension.isVisible()).toBe(true);
    if (!withScripts) {
      await press(page, "Download");
      await page.getByText("There is a problem").waitFor();
      expect(await page.locator(".err").innerText()).toBe(note);
      expect(await choice("DER").isChecked()).toBe(true);
      return;
    }
    await expect.poll(() => choice("DER").isDisabled()).toBe(true);
    expect(await choice("PEM").first().isChecked()).toBe(true);
    await page.getByText(note).waitFor();
    const barred = async () => extension.locator("option:disabled").allInnerTexts();
    expect(await barred()).toEqual(["DER"]);
    await choice("own").check();
    await choice("DER").check();
    expect([await choice("DER").isEnabled(), await barred()]).toEqual([true, ["PEM"]]);
    expect(await page.getByText(note).count()).toBe(0);
  });

  test("[CER-07] a PKCS#12 file is made with scripts, of the key that belongs to the certificate, and nothing is sent", async () => {
    const page = await state.open();
    const email = "pkcs12@example-parts.com";
    await register(page, { ...CUSTOMER, email });
    await completeRegistration(page);
    const folder = mkdtempSync(join(tmpdir(), "pkcs12-"));
    const [key, certificate, made] = ["key.pem", "own.der", "own.p12"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    openssl(["genpkey", "-algorithm", "RSA", "-aes-256-cbc", "-pass", "pass:old one", "-out", key]);
    const signed = ["-passin", "pass:old one", "-outform", "DER", "-out", certificate, "-subj", `/CN=${NAME}`];
    openssl(["req", "-x509", "-new", "-key", key, ...signed]);
    const id = await giveCertificate(state.portal, email, NAME, readFileSync(certificate));
    await page.goto(`/home/certificate-download/${id}`);
    const button = page.getByRole("button", { name: "Make PKCS#12 file" });
    await page.getByText(`-out "${NAME}-${id}.p12"`).waitFor();
    expect(await button.isVisible()).toBe(withScripts);
    if (!withScripts) return;
    await page.getByLabel("File of the private key").setInputFiles(key);
    await page.getByLabel("Passphrase of the private key").fill("another one");
    await page.getByLabel("Passphrase for the new file").fill("Harbour lantern 42");
    await page.getByLabel("The same passphrase again").fill("Harbour lantern 42");
    await button.click();
    await page.getByText("The passphrase does not open the key.").waitFor();
    await page.locator("#pkcs12-passphrase:focus").waitFor();
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    await page.getByLabel("Passphrase of the private key").fill("old one");
    const saved = page.waitForEvent("download");
    await button.click();
    await (await saved).saveAs(made);
    expect(sent.filter((url) => !url.startsWith("blob:"))).toEqual([]);
    const read = openssl(["pkcs12", "-in", made, "-passin", "pass:Harbour lantern 42", "-noenc"]);
    expect(openssl(["pkey", "-pubout"], read)).toBe(
      openssl(["pkey", "-in", key, "-passin", "pass:old one", "-pubout"]),
    );
    expect(read.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    rmSync(folder, { recursive: true });
  });

  test("[REV-02] the confirmation begins at Cancel, which keeps the typed values and restores the focus, as Escape does", async () => {
    const { page, id } = await owner("focus");
    await page.goto(`/home/certificate/revoke/${id}`);
    await heading(page, "Revoke Certificate");
    await fill(page, { revocationReason: "Superseded", revocationDescription: "Replaced by another" });
    const description = page.locator('textarea[name="revocationDescription"]');
    const dialog = page.locator("dialog[open]");
    const ask = async () => {
      await press(page, "Revoke Certificate");
      await page.getByText("This process cannot be reversed.").first().waitFor();
    };
    await ask();
    if (withScripts) {
      for (const key of ["Enter", "Escape"]) {
        await dialog.waitFor();
        expect(await focused(page)).toBe("Cancel");
        await page.keyboard.press(key);
        await dialog.waitFor({ state: "detached" });
        await expect.poll(() => focused(page)).toBe("Revoke Certificate");
        expect(await description.inputValue()).toBe("Replaced by another");
        await ask();
      }
    } else await press(page, "Cancel");
    await page.goto("/home/certificates");
    expect(await statusOf(page, NAME)).toBe("Issued");
  });

  test("[REG-05] the question about unsaved details begins at No", async () => {
    if (!withScripts) return;
    const page = await state.open();
    await page.goto("/register");
    await fill(page, { firstName: "Anna" });
    await press(page, "Cancel");
    await page.locator("dialog[open]").waitFor();
    expect(await focused(page)).toBe("No");
    await page.keyboard.press("Enter");
    await page.locator("dialog[open]").waitFor({ state: "detached" });
    expect(await page.locator('[name="firstName"]').inputValue()).toBe("Anna");
  });
});

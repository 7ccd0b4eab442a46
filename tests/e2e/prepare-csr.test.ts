import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Download, type Page, type Request } from "playwright";
import { describe, expect, test } from "vitest";
import { openssl, opensslFailure, useOpenssl } from "../support/openssl";
import { useBrowser, withScripts } from "./support/browser";
import { fill, heading, press } from "./support/journey";

const state = useBrowser();
const { directory } = useOpenssl();

const DETAILS = {
  commonName: "oftp.example.com",
  organisation: `Müller & "Söhne" GmbH`,
  country: "Germany",
  oftpid: "O0013000123ACME-1",
  dnsNames: "a.example.com",
  ipAddresses: "2001:db8::1",
  keySize: "RSA, 2048 bits",
};
const PASSPHRASE = "korrektes Pferd ß € batterie";

async function enter(page: Page) {
  await page.goto("/prepare-csr");
  await fill(page, DETAILS);
  await press(page, "Continue");
  await heading(page, "Prepare a CSR");
  await page.getByRole("heading", { name: "Choose one way" }).waitFor();
}

async function textOf(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const save = async (page: Page, button: string) => {
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, button)]);
  return { name: file.suggestedFilename(), text: await textOf(file) };
};

/** Returns everything that a request contains. */
const contentOf = (request: Request) =>
  [request.url(), JSON.stringify(request.headers()), request.postData() ?? ""].join("\n");

const typePassphrases = async (page: Page, one: string, other: string) => {
  await page.getByLabel("Passphrase for the private key").fill(one);
  await page.getByLabel("The same passphrase again").fill(other);
  await press(page, "Make key and CSR");
};

describe(`preparing a CSR, scripts ${withScripts ? "on" : "off"}`, () => {
  test("[PUR-03] shows mistakes at their fields and keeps what was typed, then shows the commands", async () => {
    const page = await state.open();
    await page.goto("/prepare-csr");
    await fill(page, { ...DETAILS, commonName: "", dnsNames: "not a name!" });
    await press(page, "Continue");
    await page.getByText("There is a problem").waitFor();
    expect(await page.locator(".err").allInnerTexts()).toEqual([
      "This field is required.",
      "'name!' is not a valid DNS name: it has a character other than letters, digits, hyphens and dots. Enter the name of the host, such as edi.your-company.com.",
    ]);
    expect(await page.locator('[name="organisation"]').inputValue()).toBe(DETAILS.organisation);
    expect(await page.locator('[name="dnsNames"]').inputValue()).toBe("not a name!");
    await fill(page, DETAILS);
    await press(page, "Continue");
    await page.getByText("openssl genpkey").first().waitFor();
    expect(await page.getByText("There is a problem").count()).toBe(0);
    const isShown = await page.getByRole("heading", { name: "In this browser" }).isVisible();
    expect(isShown).toBe(withScripts);
  });

  test("[PUR-03] creates key and CSR in the browser, saves the encrypted key, and sends neither key nor passphrase", async () => {
    const page = await state.open();
    const answer = await page.goto("/prepare-csr");
    const policy = answer?.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+';/);
    if (!withScripts) return;

    await enter(page);
    const requests: Request[] = [];
    page.context().on("request", (request) => requests.push(request));
    await typePassphrases(page, "elevenchars", "elevenchars");
    await page.getByText("The passphrase must have at least 12 characters.").waitFor();
    await typePassphrases(page, PASSPHRASE, `${PASSPHRASE} `);
    await page.getByText("The two passphrases are not the same.").waitFor();
    expect(await page.getByLabel("Passphrase for the private key").inputValue()).toBe(PASSPHRASE);
    await typePassphrases(page, PASSPHRASE, PASSPHRASE);
    await page.getByRole("button", { name: "Save private key" }).waitFor({ timeout: 60_000 });

    // Leaving now would lose the key, so the page asks first.
    await page.getByRole("link", { name: "Repository" }).first().click();
    await page.getByText("The private key has not been saved.").waitFor();
    await press(page, "Stay");
    const asked = await page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));
    expect(asked).toBe(true);

    const key = await save(page, "Save private key");
    const csr = await save(page, "Save CSR");
    expect([key.name, csr.name]).toEqual(["private.key.pem", "request.csr"]);
    expect(csr.text.trim()).toBe(
      (await page.locator("pre.pem", { hasText: "CERTIFICATE REQUEST" }).innerText()).trim(),
    );

    const [keyFile, csrFile] = [join(directory, "key.pem"), join(directory, "request.csr")];
    writeFileSync(keyFile, key.text);
    writeFileSync(csrFile, csr.text);
    const structure = openssl(["asn1parse", "-in", keyFile]);
    expect(structure).toMatch(/PBES2[\s\S]*PBKDF2[\s\S]*INTEGER +:0927C0[\s\S]*hmacWithSHA256[\s\S]*aes-256-cbc/);
    expect(Number("0x0927C0")).toBe(600_000);
    const publicKey = openssl(["pkey", "-in", keyFile, "-passin", `pass:${PASSPHRASE}`, "-pubout"]);
    expect(openssl(["req", "-in", csrFile, "-verify", "-noout", "-pubkey"])).toContain(publicKey);
    expect(opensslFailure(["pkey", "-in", keyFile, "-passin", "pass:another passphrase", "-noout"])).not.toBe("");
    const said = openssl(["req", "-in", csrFile, "-noout", "-text", "-nameopt", "utf8,sep_multiline"]);
    for (const line of [
      `O=${DETAILS.organisation}`,
      "C=DE",
      "DNS:a.example.com",
      "IP Address:2001:DB8:0:0:0:0:0:1",
      "(2048 bit)",
    ])
      expect(said).toContain(line);

    // The key is saved, so the page can be left without a question.
    await page.getByRole("link", { name: "Repository" }).first().click();
    await heading(page, "Certificate repository");

    const plain = openssl(["pkey", "-in", keyFile, "-passin", `pass:${PASSPHRASE}`, "-outform", "PEM"]);
    const pieces = [plain, key.text].flatMap((pem) => pem.split("\n").filter((line) => line.length === 64));
    expect(pieces.length).toBeGreaterThan(40);
    const secrets = [PASSPHRASE, encodeURIComponent(PASSPHRASE), "elevenchars", ...pieces];
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) {
      expect(request.method()).toBe("GET");
      expect(new URL(request.url()).origin).toBe(state.portal.origin);
      const content = contentOf(request);
      expect(secrets.filter((secret) => content.includes(secret))).toEqual([]);
    }
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(secrets.filter((secret) => kept.includes(secret))).toEqual([]);
    expect(state.portal.output()).not.toContain(PASSPHRASE);
  });
});

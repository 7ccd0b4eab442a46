import { beforeAll, describe, expect, test } from "vitest";
import { REQUEST_RULES } from "~/ca/csr/rules/catalogue";
import { type Preflight } from "~/domain/certificates/preflight/preflight.service.server";
import { LIMITS, tryToConsume } from "~/domain/limits/tries.server";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";
import * as page from "~/routes/_public.check-csr";
import * as rulesPage from "~/routes/_public.csr-rules";
import { getDb } from "~db/connection.server";
import { blockKey } from "~db/repositories/blocked-keys.server";
import { inTransaction } from "~db/transaction.server";
import { ApiClient } from "../support/api";
import { changedTables, stateOfTables } from "../support/audited";
import { issueCertificate } from "../support/certificates";
import { type MadeCsr, useOpenssl } from "../support/openssl";
import { pageText, select, summaryOf, textsOf, valueOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf, jsonOf, run, type Visitor } from "../support/visitor";
import { newBuyer } from "./purchase-journey";

usePortal({ RATE_LIMITS: "on" });
const { makeCsr } = useOpenssl();

let visitor: Visitor;
beforeAll(async () => {
  visitor = await anonymous();
});

type Fields = Record<string, string | File>;

const send = async (fields: Fields) => run(page.action, await visitor.post(paths.checkCsr, fields));

/** Returns the verdict on a CSR, which must be readable. */
async function judge(fields: Fields): Promise<Preflight> {
  const answer = await send(fields);
  expect(answer.status).toBe(200);
  return (await jsonOf<{ preflight: Preflight }>(answer)).preflight;
}

const codesOf = ({ rules }: Preflight) => rules.map(({ code }) => code);

const valuesOf = ({ certificate }: Preflight, name: string) =>
  certificate?.find((field) => field.name === name)?.values ?? [];

describe("[PUR-11] a CSR is judged without an account", () => {
  test("[PUR-11] [PUR-03] a name with international letters is shown with them", async () => {
    const made = makeCsr({ san: ["DNS:xn--mnchen-3ya.de", "email:it@xn--mnchen-3ya.de"] });
    const verdict = await judge({ csr: made.pem });
    expect(verdict.csr?.names).toEqual([
      { caption: "Domain names", values: ["xn--mnchen-3ya.de (m\u00fcnchen.de)", "oftp.acme.example"] },
      { caption: "RFC822 names", values: ["it@xn--mnchen-3ya.de (it@m\u00fcnchen.de)"] },
    ]);
  });

  test("[PUR-11] the title counts rules, not names", async () => {
    const made = makeCsr({ san: ["DNS:intranet", "DNS:mail", "DNS:localhost"] });
    expect((await judge({ csr: made.pem })).rules).toHaveLength(3);
    const { html } = await openPage(page, visitor, paths.checkCsr, {
      fields: { csr: made.pem },
    });
    expect(pageText(html)).toContain("because it breaks 2 rules:");
  });

  test("[PUR-11] an acceptable CSR gives the certificate that would come out, field by field", async () => {
    const made = makeCsr({ san: ["DNS:oftp.example.com", "IP:192.0.2.7"] });
    const verdict = await judge({ csr: made.pem });
    expect(codesOf(verdict)).toEqual([]);
    expect(verdict.certificate?.map(({ name, isCritical }) => (isCritical ? `${name} (critical)` : name))).toEqual([
      ...["Version", "Serial number", "Signature algorithm", "Issuer", "Valid from", "Valid until", "Subject"],
      ...["Public key", "Basic constraints (critical)", "Key usage (critical)", "Extended key usage"],
      ...["Subject alternative names", "Subject key identifier", "Authority key identifier", "Certificate policies"],
      ...["CRL", "Delta CRL", "Authority information access"],
    ]);
    expect(valuesOf(verdict, "Valid until")).toHaveLength(4);
    expect(valuesOf(verdict, "Subject alternative names").join()).toContain("IP addresses: 192.0.2.7");
    expect(valuesOf(verdict, "Certificate policies")).toContain(getConfig().certificates.policyOid);
  });

  test("[PUR-11] the usage decides about the key usage, and one is required", async () => {
    const { pem } = makeCsr();
    const chosen = { csr: pem, showUsageAttributes: "on" };
    const verdict = await judge({ ...chosen, hasFileSigning: "on" });
    expect(valuesOf(verdict, "Key usage")).toEqual(["digitalSignature", "nonRepudiation"]);
    expect(valuesOf(verdict, "Extended key usage")).toEqual([]);
    const { status, errors, values } = await errorsOf(await send(chosen));
    expect([status, errors.usage]).toEqual([422, "Please select at least one certificate usage attribute"]);
    expect(values.csr).toBe(pem);
  });

  test("[PUR-11] each broken rule is named with its links, as an order names it", async () => {
    const csr = makeCsr({ subject: "/C=ZZ/O=Acme/CN=localhost", san: ["DNS:srv.internal"] }).pem;
    const verdict = await judge({ csr });
    expect(codesOf(verdict)).toEqual(["subject-country", "name-special-use", "name-internal"]);
    expect(verdict.certificate).toBeNull();
    expect(verdict.csr).toMatchObject({ commonName: "localhost", keySize: 2048, signatureAlgorithm: /./ });
    const buyer = await newBuyer();
    await buyer.contact();
    const { rules } = await jsonOf<Preflight>(await buyer.order({ csr, intent: "import" }));
    expect(verdict.rules).toEqual(rules);
    expect(rules[2]).toMatchObject({ url: "/csr-rules#name-internal", title: "Internal names" });
  });

  test("[PUR-11] what staff look at is marked", async () => {
    const { marks, lints } = await judge({ csr: makeCsr({ subject: "/C=DE/O=Acme/CN=My Station", san: [] }).pem });
    expect(marks).toMatchObject([{ code: "mark-host", section: { text: "Practice statement §3.1.1" } }]);
    expect(lints.map(({ lint }) => lint)).toContain("email-without-address");
  });

  test("[PUR-11] names that the company has to confirm are marked, and an address is refused where that is required", async () => {
    const { pem } = makeCsr({
      subject: "/C=DE/O=Acme/CN=www.google.com",
      san: ["IP:8.8.8.8", "email:service@bank.example.com"],
    });
    const { names } = getConfig();
    const judged = async (domainControl: typeof names.domainControl) => {
      Object.assign(names, { domainControl });
      const verdict = await judge({ csr: pem });
      return { rules: codesOf(verdict), marks: verdict.marks.map(({ message }) => message) };
    };
    const NAMES = "The company that orders has to confirm: www.google.com, service@bank.example.com.";
    try {
      expect(await judged("mark")).toEqual({
        rules: [],
        marks: [
          `${NAMES} Otherwise an order marks these names, and our staff look into them.`,
          "Nobody can confirm an IP address in the portal: 8.8.8.8. An order marks it, and our staff look into it. The DNS name of the host needs no such check once its domain is confirmed.",
        ],
      });
      expect(await judged("require")).toEqual({
        rules: ["address-not-confirmed"],
        marks: [
          `${NAMES} Otherwise an order refuses these names. Owners of a company confirm domains and mailboxes in the portal.`,
        ],
      });
      expect(await judged("off")).toEqual({ rules: [], marks: [] });
    } finally {
      Object.assign(names, { domainControl: "mark" });
    }
  });

  test.each(["\u0430pple.com", "srv.internal"])(
    "[PUR-11] a refused common name is not proposed as a DNS name: %s",
    async (name) => {
      const verdict = await judge({ csr: makeCsr({ subject: `/C=DE/O=Acme/CN=${name}`, san: [] }).pem });
      expect(codesOf(verdict)).toHaveLength(1);
      expect(verdict.marks.map(({ message }) => message).join()).not.toContain("DNS:");
    },
  );

  test("[PUR-03] characters that cannot be seen are shown as code points", async () => {
    const { csr } = await judge({ csr: makeCsr({ subject: "/C=DE/O=Ac\u202eme/CN=oftp.example.com" }).pem });
    expect(csr?.organisation).toBe("Ac(U+202E)me");
  });

  test.each([
    ["nothing", { csr: " " }, "csr", "csr-missing", "There is no certificate signing request"],
    ["an empty file", { csr: "", csrFile: new File([], "a.csr") }, "csrFile", "csr-missing", "The file is empty."],
    ["other text", { csr: "hello" }, "csr", "csr-structure", "This is not a certificate signing request"],
    ["half a CSR", { csr: "-----BEGIN CERTIFICATE REQUEST-----\nMII" }, "csr", "csr-encoding", "The CSR is incomplete"],
    ["a private key", { csr: "-----BEGIN PRIVATE KEY-----\nMII" }, "csr", "csr-private-key", "This is a private key"],
    ["too much", { csr: "x".repeat(70_000) }, "csr", "csr-size", "larger than 64 KB"],
  ] as const)("[PUR-03] %s is refused at its field with its rule", async (_, fields, field, code, text) => {
    const answer = await send(fields);
    const { rules } = await jsonOf<Preflight>(answer.clone());
    const { status, errors, values } = await errorsOf(answer);
    expect([status, Object.keys(errors), rules.map((rule) => rule.code)]).toEqual([422, [field], [code]]);
    expect(errors[field]).toContain(text);
    expect(values.csr ?? "").toBe(["csr-private-key", "csr-size"].includes(code) ? "" : fields.csr);
  });

  test("[PUR-03] a DER file is read, and the page keeps its text", async () => {
    const { der, pem } = makeCsr();
    const answer = await send({ csr: "", csrFile: new File([Buffer.from(der)], "a.der") });
    expect(await jsonOf<{ repopulateFields: { csr: string } }>(answer)).toMatchObject({
      repopulateFields: { csr: pem.replaceAll("\r", "") },
    });
  });
});

describe("[PUR-11] what a visitor may not learn", () => {
  const verdictOn = async ({ pem }: MadeCsr) => codesOf(await judge({ csr: pem }));

  test("[PUR-11] the key of somebody's certificate gets the same answer as a new key", async () => {
    const made = makeCsr();
    await issueCertificate({ csr: made.der });
    expect(await verdictOn(made)).toEqual([]);
  });

  test("[PUR-11] a blocked key is named to whoever has it, and to nobody else", async () => {
    const made = makeCsr();
    const { keyIdentity } = await issueCertificate({ csr: made.der });
    await inTransaction((trx) => blockKey(trx, keyIdentity, "test"));
    expect(await verdictOn(made)).toEqual(["key-blocked"]);
    const forged = Uint8Array.from(made.der);
    forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
    expect(await verdictOn({ ...made, pem: Buffer.from(forged).toString("base64") })).toEqual(["signature-invalid"]);
  });

  test("[PUR-11] nothing is stored but the count of tries", async () => {
    const comparisons = () => getDb().selectFrom("keyComparisons").selectAll().execute();
    const [before, compared] = [await stateOfTables(), await comparisons()];
    await judge({ csr: makeCsr().pem });
    await judge({ csr: makeCsr({ san: ["DNS:localhost"] }).pem });
    expect(changedTables(before, await stateOfTables())).toEqual([]);
    expect(await comparisons()).toEqual(compared);
  });
});

describe("[PUR-11] the pages", () => {
  const open = async (csr: string) => (await openPage(page, visitor, paths.checkCsr, { fields: { csr } })).html;

  test("[GEN-02] a text that is no CSR is reported in the summary and stays in its field", async () => {
    const html = await open("hello");
    expect(summaryOf(html)).toHaveLength(1);
    expect(valueOf(html, "csr")).toBe("hello");
  });

  test("[PUR-11] the page shows the verdict above the form", async () => {
    const html = await open(makeCsr().pem);
    expect(textsOf(html, "h2")).toContain("Result");
    expect(pageText(html)).toContain("An order takes this CSR, if nobody else has its key.");
    expect(pageText(html)).toContain("Key usage (critical)");
  });

  test("[PUR-11] the page of all rules has an entry for each rule, to which refusals link", async () => {
    const { html } = await openPage(rulesPage, visitor, paths.csrRules());
    for (const [code, { title, requirement }] of Object.entries(REQUEST_RULES)) {
      const entry = select(html, `[id="${code}"]`).text();
      expect(entry).toContain(title);
      expect(entry).toContain(requirement);
    }
    expect(select(html, "#name-documentation").text()).toContain("Not applied by this CA");
    expect(select(html, "#name-internal").text()).not.toContain("Not applied by this CA");
  });
});

describe("[API-05] the call", () => {
  const client = new ApiClient();

  test("[API-05] gives the same verdict without a token", async () => {
    const csr = makeCsr({ san: ["DNS:srv.internal"] }).pem;
    const { content } = await client.post<Preflight & { isAccepted: boolean }>("certificates/CheckCsr", { csr });
    const { rules, marks } = await judge({ csr });
    expect(content).toMatchObject({ isAccepted: false, rules, marks, certificate: null });
    const accepted = await client.post<Preflight & { isAccepted: boolean }>("certificates/CheckCsr", {
      csr: makeCsr().pem,
      hasSecureSession: false,
    });
    expect(accepted.content).toMatchObject({ isAccepted: true, csr: { keySize: 2048 } });
    expect(valuesOf(accepted.content, "Extended key usage")).toEqual(["emailProtection"]);
  });

  test("[API-05] needs a usage", async () => {
    const usages = { hasSecureSession: false, hasEmail: false, hasEncryption: false, hasFileSigning: false };
    const { status, errors } = await client.post("certificates/CheckCsr", { csr: makeCsr().pem, ...usages });
    expect([status, Object.keys(errors ?? {})]).toEqual([422, ["hasSecureSession"]]);
  });
});

test("[API-06] page and call have one limit for each network", async () => {
  for (let count = 0; count <= LIMITS["preflight-address"].points; count += 1)
    await tryToConsume("preflight-address", "unknown");
  const answer = await send({ csr: makeCsr().pem });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(JSON.stringify(await answer.json())).toContain("at most 60 CSRs checked without an account from one network");
});

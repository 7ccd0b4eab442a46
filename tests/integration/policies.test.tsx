import { createPrivateKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, rm, writeFile } from "node:fs/promises";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { load } from "cheerio";
import express from "express";
import { describe, expect, test } from "vitest";
import { encryptPrivateKey, kdfRounds } from "~/ca/keys.server";
import { hashPassword } from "~/domain/accounts/passwords.server";
import { FIRST_AUTHORITIES } from "~/domain/authorities/catalogue";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { POLICIES, type PolicyEntry, type PolicyName } from "~/domain/repository/policies/catalogue";
import { policyPdf, policyPdfs, preparePolicies } from "~/domain/repository/policies/policies.service.server";
import { readPolicySource } from "~/domain/repository/policies/source.server";
import { shownMarkdown } from "~/domain/repository/policies/text.policy";
import { policyValues } from "~/domain/repository/policies/values.server";
import { afterwards } from "~/http/afterwards.server";
import { getConfig, type PortalConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import * as page from "~/routes/_public.certificate-repository_.$policy";
import { loader } from "~/routes/repository.$file";
import { issueCertificate } from "../support/certificates";
import { nextRsaKey } from "../support/keys";
import { openssl, useOpenssl } from "../support/openssl";
import { pageText, select, textsOf } from "../support/page";
import { pdfText, poppler } from "../support/pdf";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, run } from "../support/visitor";

usePortal();
const { file } = useOpenssl();

/** Runs `work` with another configuration and empty caches. */
async function withConfig<T>(change: (config: PortalConfig) => PortalConfig, work: () => Promise<T>): Promise<T> {
  const shipped = getConfig();
  getConfig.replace(change(shipped));
  await forgetPdfs();
  try {
    return await work();
  } finally {
    getConfig.replace(shipped);
    policyPdfs.clear();
  }
}

const storedPdfs = () => join(getEnv().dataDir, "cache", "policies");

/** Forgets the PDFs, as if the portal had never been started. */
async function forgetPdfs(): Promise<void> {
  policyPdfs.clear();
  await rm(storedPdfs(), { recursive: true, force: true });
}

const entryOf = (name: PolicyName) => POLICIES.find((entry) => entry.name === name) as PolicyEntry;
const get = (name: string) => run(loader, new Request(`http://portal.test/repository/${name}`), { file: name });
const CPS = entryOf("certification-practice-statement");

describe("the policies as PDF", () => {
  test("[REP-02] are all created after the first page of the repository was sent, and not before", async () => {
    const app = express().use(afterwards(preparePolicies), (_request, response) => {
      expect(policyPdfs().size).toBe(0);
      response.end("The repository");
    });
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("The repository");
    await expect.poll(() => policyPdfs().size, { timeout: 50_000 }).toBe(POLICIES.length);
    await Promise.all([...policyPdfs().values()].map(({ bytes }) => bytes));
    server.close();
  });

  test.each(POLICIES)(
    "[REP-02] $title: title, language, tags, pages, embedded fonts and text are right",
    async ({ file: name, title }) => {
      const date = new Date(getConfig().policies.date);
      const inForce = date.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
      const answer = await get(name);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Content-Type")).toBe("application/pdf");
      expect(answer.headers.get("Content-Disposition")).toBe(
        `inline; filename="${name.replace(/\.pdf$/, "")}-${getConfig().policies.version}.pdf"`,
      );
      const pdf = new Uint8Array(await answer.arrayBuffer());
      const info = poppler("pdfinfo", pdf);
      expect(info).toMatch(
        new RegExp(`^Title: +${title}, version ${getConfig().policies.version.replace(".", "\\.")}$`, "m"),
      );
      expect(info).toMatch(/^Tagged: +yes$/m);
      const [weekday, day, month, year] = date.toUTCString().split(/,? /);
      expect(info).toMatch(new RegExp(`^CreationDate: +${weekday} ${month} +${Number(day)} .*${year}`, "m"));
      expect(Number(/^Pages: +(\d+)$/m.exec(info)?.[1])).toBeGreaterThan(2);
      expect(Buffer.from(pdf).toString("latin1")).toContain("/Lang (en-GB)");
      const fonts = poppler("pdffonts", pdf).trim().split("\n").slice(2);
      expect(fonts.length).toBeGreaterThan(1);
      for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+SourceSans3-.* TrueType .* yes yes yes /);
      const text = pdfText(pdf);
      for (const said of [
        title,
        `Version: ${getConfig().policies.version}`,
        `In force from: ${inForce}`,
        getConfig().legal.company,
      ])
        expect(text).toContain(said);
      expect(text).not.toMatch(/\{\{|\[\[|undefined|null/);
    },
  );

  test("[REP-02] the practice statement has every chapter and section of RFC 3647 in its contents with the right page", async () => {
    const pdf = await policyPdf(CPS);
    const source = shownMarkdown(readPolicySource(CPS.name), () => true);
    const headings = [...source.matchAll(/^#{2,3} (.+)$/gm)].map(([, title = ""]) => title);
    const numbers = headings.map((title) => /^[\d.]*\d/.exec(title)?.[0]);
    const sections = [6, 4, 4, 12, 8, 8, 3, 0, 17];
    expect(numbers).toEqual(
      sections.flatMap((count, index) => [
        String(index + 1),
        ...Array.from({ length: count }, (_, section) => `${index + 1}.${section + 1}`),
      ]),
    );
    const pages = poppler("pdftotext", pdf, ["-layout"]).split("\f");
    const contents = pages.slice(0, 3).join("\n").replaceAll("’", "'");
    for (const title of headings) {
      const line = new RegExp(`^ *${title.replaceAll("’", "'").replace(/[.()]/g, "\\$&")} +(\\d+)$`, "m").exec(
        contents,
      );
      expect({ title, isListed: line !== null }).toEqual({ title, isListed: true });
      expect(pages[Number(line?.[1]) - 1]).toMatch(new RegExp(`^ *${title.replace(/[.()]/g, "\\$&")}$`, "m"));
    }
  });

  test("[REP-02] the same text and configuration give the same bytes, and every page has its number", async () => {
    const first = await withConfig(
      (config) => config,
      () => policyPdf(CPS),
    );
    const second = await withConfig(
      (config) => config,
      () => policyPdf(CPS),
    );
    expect(first.equals(second)).toBe(true);
    const count = Number(/^Pages: +(\d+)$/m.exec(poppler("pdfinfo", first))?.[1]);
    expect(pdfText(first)).toContain(`Page 2 of ${count}`);
  });

  test("[REP-02] are made once for several starts, and again when the text changes", async () => {
    await forgetPdfs();
    const first = await policyPdf(CPS);
    const [file = "", ...more] = await readdir(storedPdfs());
    expect(more).toEqual([]);
    await writeFile(join(storedPdfs(), file), "what an earlier start has stored");
    policyPdfs.clear();
    expect((await policyPdf(CPS)).toString()).toBe("what an earlier start has stored");
    const shipped = getConfig();
    getConfig.replace({ ...shipped, legal: { ...shipped.legal, company: "Another Association" } });
    const changed = pdfText(await policyPdf(CPS));
    getConfig.replace(shipped);
    expect(changed).toContain("Another Association");
    expect(await readdir(storedPdfs())).toEqual([expect.not.stringContaining(file)]);
    expect((await policyPdf(CPS)).equals(first)).toBe(true);
  });

  test("[REP-02] the values follow the configuration, with any characters", async () => {
    const own = "Müller & Söhne *GmbH* <b>|_x_| [a](b)";
    const change = (config: PortalConfig): PortalConfig => ({
      ...config,
      legal: { ...config.legal, company: own },
      certificates: {
        ...config.certificates,
        policyOid: "1.3.6.1.4.1.99999.7",
        hierarchy: "g3",
        renewalsFromDays: 123,
        renewalsUntilDays: 45,
        keyAlgorithms: ["RSA", "EC"],
      },
      policies: {
        version: "2.7",
        date: "2027-03-09",
        email: "cps@own.example",
        governingLaw: "Bavaria",
        reviewMonths: 5,
        terminationNoticeDays: 44,
      },
      accounts: {
        ...config.accounts,
        passwordMinLength: 17,
        passwordMaxAgeDays: 0,
        factorGraceDays: 0,
        fourEyes: "strict",
      },
      privacy: {
        invoiceYears: 13,
        evidenceYears: 14,
        unusedAccountsKeptDays: 15,
        invitationsKeptDays: 16,
        requestsKeptDays: 18,
      },
      security: { ...config.security, eventsKeptDays: 19 },
      mail: { keptDays: 21 },
    });
    const read = async () => {
      const { html } = await openPage(page, await anonymous(), `/certificate-repository/${CPS.name}`, {
        params: { policy: CPS.name },
      });
      return { pdf: pdfText(await policyPdf(CPS)), html, page: pageText(html) };
    };
    const before = await read();
    const after = await withConfig(change, read);
    for (const said of [
      "1.3.6.1.4.1.99999.7",
      "signed by the issuing CA of the hierarchy G3 that took over last",
      "from 123 days before to 45 days after the expiry",
      "or EC keys on the curves P-256 and P-384",
      "version 2.7 of 9 March 2027",
      "cps@own.example",
      "The law of Bavaria applies.",
      "at least 17 characters",
      "Passwords do not expire.",
      "Staff log in with a password and a second factor",
      "whoever recorded a check cannot approve it",
      "without another user administrator, who has 7 days to agree",
      "invoices for at least 13 years",
      "for at least 14 years after their end",
      "never confirmed and never used after 15 days",
      "ended invitations after 16 days",
      "user administrator after 18 days",
      "network address and browser, for 19 days",
      "are kept for 21 days after it was sent",
      "at least every 5 months",
      "at least 44 days ahead",
    ]) {
      for (const text of [after.pdf, after.page]) expect(text).toContain(said);
      for (const text of [before.pdf, before.page]) expect(text).not.toContain(said);
    }
    for (const said of [
      "Passwords expire after 365 days.",
      "at the latest 14 days after they were first asked, a second factor",
      "one person may record the checks of an order and approve it",
    ]) {
      for (const text of [before.pdf, before.page]) expect(text).toContain(said);
      for (const text of [after.pdf, after.page]) expect(text).not.toContain(said);
    }
    for (const text of [after.pdf, after.page]) expect(text).toContain(own);
  });
});

describe("the values in the policies", () => {
  test("[REP-02] equal those of the certificates, CRLs and keys that the portal creates", async () => {
    const values = policyValues();
    const { der } = await issueCertificate();
    const text = openssl(["x509", "-inform", "DER", "-in", file("cer", der), "-noout", "-text"]);
    expect(text).toContain(`Policy: ${values.policyOid}`);
    expect(text).toContain(`CPS: ${values.cpsUri}`);
    const { pathname } = new URL(values.cpsUri ?? "");
    expect((await get(pathname.slice("/repository/".length))).headers.get("Content-Type")).toBe("application/pdf");

    await publishCrls("issuing-sha2");
    const days = async (name: string) => {
      const list = openssl(
        ["crl", "-inform", "DER", "-noout", "-lastupdate", "-nextupdate"],
        new Uint8Array(await (await get(name)).arrayBuffer()),
      );
      const [last = "", next = ""] = list
        .trim()
        .split("\n")
        .map((line) => line.split("=")[1] ?? "");
      return (Date.parse(next) - Date.parse(last)) / 86_400_000;
    };
    expect(await days("issuing-sha2.crl")).toBe(Number.parseInt(values.baseLife ?? "", 10));
    expect(await days("issuing-sha2-delta.crl")).toBe(Number.parseInt(values.deltaLife ?? "", 10) / 24);

    kdfRounds.clear(); // the portals of the tests use fewer rounds
    const key = await encryptPrivateKey(createPrivateKey(nextRsaKey()), "a passphrase", randomBytes);
    const encryption = openssl(["asn1parse"], key.slice(key.indexOf("-----BEGIN")));
    const [, rounds] = /PBES2[\s\S]*PBKDF2[\s\S]*?INTEGER +:([0-9A-F]+)[\s\S]*aes-256-cbc/.exec(encryption) ?? [];
    expect(values.keyEncryption).toContain("PBES2 with AES-256");
    expect(values.keyEncryption).toContain(`PBKDF2 with ${Number(`0x${rounds}`).toLocaleString("en-GB")} rounds`);
    expect(await hashPassword("a password")).toMatch(new RegExp(`^\\$${values.passwordHash}\\$`));
  });

  test("[REP-02] name the CAs as the repository does and the choices as the order page does", async () => {
    const text = pdfText(await policyPdf(CPS));
    for (const { caption } of FIRST_AUTHORITIES) expect(text).toContain(caption);
    for (const said of [
      "digitalSignature, keyEncipherment",
      "serverAuth, clientAuth",
      "digitalSignature, nonRepudiation",
    ])
      expect(text).toContain(said);
  });
});

describe("the policies as pages", () => {
  test.each(POLICIES)(
    "[REP-02] [REP-04] $title has the same words as its PDF, with links to its chapters",
    async (entry) => {
      const { html } = await openPage(page, await anonymous(), `/certificate-repository/${entry.name}`, {
        params: { policy: entry.name },
      });
      expect(textsOf(html, "h1")).toEqual([entry.title]);
      expect(select(html, `a[href="/repository/${entry.file}"]`)).toHaveLength(1);
      const words = (text: string) => text.replace(/[^\p{L}\d]+/gu, " ");
      const pdf = words(pdfText(await policyPdf(entry)));
      const paragraphs = textsOf(html, "p:not([class], :has(*))").filter((text) => text.length >= 60);
      expect(paragraphs.length).toBeGreaterThan(3);
      for (const paragraph of paragraphs.slice(0, 5)) expect(pdf).toContain(words(paragraph).trim().slice(0, 50));
      const $ = load(html);
      const links = $('a[href^="#"]').toArray();
      expect(links.length).toBeGreaterThan(3);
      for (const { attribs } of links) expect($(`[id="${attribs.href?.slice(1)}"]`)).toHaveLength(1);
    },
  );

  test("[PUB-06] another name is not found", async () => {
    const answer = await run(page.loader, new Request("http://portal.test/certificate-repository/none"), {
      policy: "none",
    });
    expect(answer.status).toBe(404);
  });
});

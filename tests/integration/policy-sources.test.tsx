import { once } from "node:events";
import { type AddressInfo } from "node:net";
import express from "express";
import { afterEach, describe, expect, test } from "vitest";
import { POLICIES, type PolicyEntry } from "~/domain/repository/policies/catalogue";
import { checkPolicies } from "~/domain/repository/policies/check.server";
import { policyFacts, PROVEN_FACTS } from "~/domain/repository/policies/facts.server";
import { policyPdf } from "~/domain/repository/policies/policies.service.server";
import { policyFingerprint, readPolicySource } from "~/domain/repository/policies/source.server";
import { policyValues } from "~/domain/repository/policies/values.server";
import { changedPoliciesNotice, recordPolicies } from "~/domain/repository/policies/versions.service.server";
import { gate } from "~/http/gate.server";
import { securityHeaders } from "~/http/security-headers.server";
import { getConfig, type PortalConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import * as repository from "~/routes/_public.certificate-repository";
import * as page from "~/routes/_public.certificate-repository_.$policy";
import * as login from "~/routes/_public.login";
import * as overview from "~/routes/home.overview";
import * as theme from "~/routes/theme";
import { getDb } from "~db/connection.server";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { pageText, select } from "../support/page";
import { pdfText } from "../support/pdf";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, run, signedInAs } from "../support/visitor";

usePortal();

afterEach(() => getConfig.clear());

function changeConfig(change: (config: PortalConfig) => Partial<PortalConfig>): void {
  const config = getConfig();
  getConfig.replace({ ...config, ...change(config) });
}

const withAccounts = (accounts: Partial<PortalConfig["accounts"]>) =>
  changeConfig((config) => ({ accounts: { ...config.accounts, ...accounts } }));

describe("the sources of the policies", () => {
  test.each([
    ["as shipped", {}],
    ["strict", { fourEyes: "strict" as const, factorGraceDays: 0, passwordMaxAgeDays: 0 }],
    ["with breached passwords", { breachedPasswords: "a-file" }],
  ])("[REP-02] each sentence has one that holds (%s)", (_, accounts) => {
    withAccounts(accounts);
    expect(checkPolicies()).toEqual([]);
  });

  test("[REP-02] a sentence whose rule is switched off is reported with its file and line", () => {
    withAccounts({ freeMailDomains: [] });
    const lines = readPolicySource("certification-practice-statement").split("\n");
    const line = lines.findIndex((text) => text.includes("addresses of free mail services")) + 1;
    expect(checkPolicies()).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^policies/certification-practice-statement\\.md:${line}: The source 'contact\\.no-free-mail' does not hold in this portal\\.`,
        ),
      ),
    );
  });

  test("[REP-02] no value and no fact is there for nothing", () => {
    const text = POLICIES.map(({ name }) => readPolicySource(name)).join("\n");
    expect(Object.keys(policyValues()).filter((name) => !text.includes(`{{${name}}}`))).toEqual([]);
    const cited = new Set(
      [...text.matchAll(/\[\[(?:if )?([^\]]+)\]\]/g)].flatMap(([, names = ""]) => names.split(", ")),
    );
    expect(Object.keys(policyFacts()).filter((name) => !name.startsWith("job.") && !cited.has(name))).toEqual([]);
  });
});

/** Sends a request to the middleware of the server, as a proxy that received it without TLS does. */
async function askServer(path: string): Promise<Response> {
  const env = { ...getEnv(), isHttps: true, publicUrl: "https://portal.test" };
  const app = express().use(securityHeaders(env), gate(env));
  app.use((_request, response) => void response.send("served"));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { Accept: "text/html", "X-Forwarded-Proto": "http" };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: "manual" });
  server.close();
  return answer;
}

const openPolicy = async () =>
  openPage(page, await anonymous(), "/certificate-repository/certificate-policy", {
    params: { policy: "certificate-policy" },
  });

const recorded = () =>
  getDb()
    .selectFrom("auditEntries")
    .select(["message", "reference"])
    .where("event", "=", "policy.published")
    .orderBy("id")
    .execute();

const proofs: Record<(typeof PROVEN_FACTS)[number], () => Promise<void>> = {
  "web.plain-http": async () => {
    expect((await askServer("/repository/root.cer")).status).toBe(200);
    expect((await askServer("/login")).status).toBe(308);
  },
  "web.cookies": async () => {
    const { username } = await createUser();
    const visitor = await anonymous();
    const form = await visitor.post("/login", { email: username, password: TEST_PASSWORD });
    visitor.follow(await run(login.action, form));
    visitor.follow(await run(theme.action, await visitor.post("/theme", { theme: "dark" })));
    const names = visitor.cookie.split("; ").map((pair) => pair.slice(0, pair.indexOf("=")));
    expect(names.toSorted()).toEqual(["marque", "marque-device", "theme"]);
  },
  "web.forms": async () => {
    const visitor = await anonymous();
    const form = { email: "a@company.example", password: "x" };
    const foreign = await visitor.post("/login", form, { Origin: "https://other.example" });
    expect((await run(login.action, foreign)).status).toBe(403);
  },
  "web.content-policy": async () => {
    const policy = (await askServer("/repository/root.cer")).headers.get("Content-Security-Policy") ?? "";
    expect(policy).toMatch(/default-src 'self'|default-src 'none'/);
    expect(policy).toMatch(/script-src [^;]*'nonce-/);
    expect(policy).not.toMatch(/script-src [^;]*'unsafe-inline'/);
  },
  "web.no-scripts": async () => {
    const { status, html } = await openPage(repository, await anonymous(), "/certificate-repository");
    expect(status).toBe(200);
    expect(select(html, 'a[href="/repository/root.cer"]').length).toBeGreaterThan(0);
  },
  "documents.fingerprint": async () => {
    const read = async () => {
      const fingerprint = policyFingerprint("certificate-policy");
      expect(pageText((await openPolicy()).html)).toContain(`Fingerprint of the text: ${fingerprint}`);
      const pdf = pdfText(await policyPdf(POLICIES[0] as PolicyEntry));
      expect(pdf).toContain(`Fingerprint of the text: ${fingerprint}`);
      return fingerprint;
    };
    const before = await read();
    changeConfig((config) => ({ certificates: { ...config.certificates, renewalsUntilDays: 17 } }));
    expect(await read()).not.toBe(before);
  },
  "documents.recorded": async () => {
    await recordPolicies();
    await recordPolicies();
    const first = await recorded();
    expect(first.map(({ message }) => message)).toEqual(
      POLICIES.map(
        ({ name, title }) =>
          `The ${title}, version 1.6, was published. Fingerprint of its text: ${policyFingerprint(name)}.`,
      ),
    );
    expect(await changedPoliciesNotice()).toBeNull();

    withAccounts({ passwordMinLength: 21 });
    const notice =
      "The text of the Certification Practice Statement has changed since version 1.6 was published, because a setting, the software or the text was changed. Raise policies.version and policies.date in the configuration file and start the portal again.";
    expect(await changedPoliciesNotice()).toBe(notice);
    const staff = await signedInAs(await createAdmin());
    expect(pageText((await openPage(overview, staff, "/home/overview")).html)).toContain(notice);
    await Promise.all([recordPolicies(), recordPolicies()]);
    const changed = (await recorded()).slice(first.length);
    expect(changed.map(({ message }) => message)).toEqual([
      `The text of the Certification Practice Statement has changed, but its version is still 1.6. Fingerprint of the text: ${policyFingerprint("certification-practice-statement")}.`,
    ]);
    expect(await changedPoliciesNotice()).toBe(notice);

    changeConfig((config) => ({ policies: { ...config.policies, version: "1.7" } }));
    expect(await changedPoliciesNotice()).toBeNull();
    await recordPolicies();
    expect(await recorded()).toHaveLength(first.length + 1 + POLICIES.length);
    expect(await changedPoliciesNotice()).toBeNull();

    getConfig.clear();
    expect(await changedPoliciesNotice()).toBeNull(); // the settings are those with which 1.6 was published
  },
};

describe("the facts that no rule of the domain shows", () => {
  test.each(PROVEN_FACTS)("[REP-02] '%s' holds", (name) => proofs[name]());
});

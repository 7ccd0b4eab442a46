import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "~/lib/config.server";
import { parseEnv } from "~/lib/env.server";
import { problemsOf } from "../support/config-problems";

const dir = mkdtempSync(join(tmpdir(), "marque-config-"));
afterAll(() => rmSync(dir, { recursive: true }));

const shipped = () => JSON.parse(readFileSync("config/portal.json", "utf8")) as Record<string, unknown>;

function withConfig(change: Record<string, unknown>): readonly string[] {
  const file = join(dir, "portal.json");
  writeFileSync(file, JSON.stringify({ ...shipped(), ...change }));
  return problemsOf(() => readConfig(file));
}

describe("configuration file", () => {
  test("[CAL-04] a lint that is ignored is named with its program, and has a reason", () => {
    const ignore = [{ lint: "w_multiple_issuer_rdn", reason: " " }];
    expect(withConfig({ lints: { ignore } })).toEqual([
      "PORTAL_CONFIG: lints.ignore.0.lint must be a program and its lint, such as 'zlint w_multiple_issuer_rdn'",
      "PORTAL_CONFIG: lints.ignore.0.reason must not be empty",
    ]);
    expect(
      withConfig({ lints: { ignore: [{ lint: "zlint w_multiple_issuer_rdn", reason: "As our root." }] } }),
    ).toEqual([]);
  });

  test("[SAL-05] VAT needs an exchange rate, because invoices also state it in sterling", () => {
    expect(withConfig({ exchangeRate: undefined })).toEqual([
      "PORTAL_CONFIG: exchangeRate is missing: invoices state UK VAT in sterling too, unless vatRate is 0",
    ]);
    expect(withConfig({ exchangeRate: undefined, vatRate: 0 })).toEqual([]);
    const rate = { sterlingPerEuro: 0.87, date: "2026-11-01", source: "HMRC" };
    expect(withConfig({ exchangeRate: { ...rate, sterlingPerEuro: 0 } })).toEqual([
      "PORTAL_CONFIG: exchangeRate.sterlingPerEuro must be above 0, such as 0.87",
    ]);
    expect(withConfig({ exchangeRate: { ...rate, date: "31/02/2026" } })).toEqual([
      "PORTAL_CONFIG: exchangeRate.date must be a date such as 2026-11-01",
    ]);
    expect(withConfig({ exchangeRate: { ...rate, source: " " } })).toEqual([
      "PORTAL_CONFIG: exchangeRate.source must not be empty",
    ]);
    expect(withConfig({ exchangeRate: { ...rate, earlier: [{ ...rate, date: "2026-10-01" }] } })).toEqual([]);
    expect(withConfig({ exchangeRate: { ...rate, earlier: [{ ...rate, date: "October" }] } })).toEqual([
      "PORTAL_CONFIG: exchangeRate.earlier.0.date must be a date such as 2026-11-01",
    ]);
  });

  test("[PUB-07] the shipped file is valid", () => {
    expect(withConfig({})).toEqual([]);
  });

  test.each([
    "helpLink",
    "pricingLink",
    "contactLink",
    "faqLink",
    "prepareCsrLink",
    "webApiEndPoint",
    "odetteCaEndPoint",
    "oscarEndPoint",
    "termsAndConditionsLink",
    "cookiesLink",
    "privacyPolicyLink",
  ])("[PUB-07] %s is required and must be an address; the problem names the key", (key) => {
    expect(withConfig({ [key]: undefined })).toEqual([`PORTAL_CONFIG: ${key} is missing`]);
    expect(withConfig({ [key]: "javascript:alert(1)" })).toEqual([
      expect.stringMatching(`^PORTAL_CONFIG: ${key} must be an address starting`),
    ]);
  });

  test.each([
    "https://*.example.org",
    "https://user@ca.example.org",
    "https://ca.example.org?next=1",
    "https://ca.example.org/#x",
    "https://a;script-src",
  ])(
    "[PUB-07] [FRM-02] a framed endpoint such as %s is refused, because its origin goes into the content security policy",
    (address) => {
      for (const key of ["odetteCaEndPoint", "oscarEndPoint"])
        expect(withConfig({ [key]: address })).toEqual([
          `PORTAL_CONFIG: ${key} must name its host plainly and have no user name, query or fragment`,
        ]);
    },
  );

  test("[PUB-07] [FRM-02] the path of the partner's login must be below the endpoint", () => {
    for (const loginPath of ["remote-login", "//other.example", "/../x", "/a\\b", ""])
      expect(withConfig({ partner: { loginPath } })).toEqual([
        "PORTAL_CONFIG: partner.loginPath must be a path starting '/'",
      ]);
    expect(withConfig({ partner: { loginPath: "/sso/login.aspx" } })).toEqual([]);
  });

  test("[PUB-07] the DNS servers for checks of domains are two addresses at most, and a wrong value is named", () => {
    const wrong = "must be IP addresses, with a port where it is not 53";
    const withNames = (names: object) => withConfig({ names });
    expect(withNames({ resolvers: ["192.0.2.53", "[2001:db8::53]:5353"], domainControl: "require" })).toEqual([]);
    for (const server of ["dns.example", "192.0.2.53:70000", "192.0.2.53:0", "[2001:db8::53]:", "192.0.2.256"])
      expect(withNames({ resolvers: [server] })).toEqual([`PORTAL_CONFIG: names.resolvers.0 ${wrong}`]);
    expect(withNames({ resolvers: ["192.0.2.1", "192.0.2.2", "192.0.2.3"] })).toEqual([
      "PORTAL_CONFIG: names.resolvers must be two at most",
    ]);
    expect(withNames({ domainControl: "maybe" })).toEqual([expect.stringContaining("names.domainControl")]);
    expect(withNames({ checkPorts: { http: 0 } })).toEqual(["PORTAL_CONFIG: names.checkPorts.http must be a port"]);
  });

  test("[PUB-07] every wrong value gets one line, also nested and unknown keys", () => {
    const { legal } = shipped() as { legal: object };
    expect(withConfig({ legal: { ...legal, phone: "" }, vatRate: 20, surplus: 1 })).toEqual([
      "PORTAL_CONFIG: legal.phone must not be empty",
      "PORTAL_CONFIG: vatRate must be a fraction such as 0.2",
      expect.stringContaining("surplus"),
    ]);
  });

  test("[PUB-07] a file that is missing or is not JSON stops the start", () => {
    expect(problemsOf(() => readConfig(join(dir, "none.json")))).toEqual([
      expect.stringMatching(/^PORTAL_CONFIG must name a JSON file/),
    ]);
  });
});

describe("environment", () => {
  test("[PUB-07] all variables have defaults", () => {
    expect(parseEnv({ DATA_DIR: dir })).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      databaseUrl: undefined,
      publicUrl: "http://localhost:3000",
      repositoryUrl: "http://localhost:3000",
      rateLimits: true,
      webConcurrency: 1,
    });
  });

  test("[PUB-07] the addresses of the repository use http even when the portal uses https", () => {
    const withPortal = { DATA_DIR: dir, PUBLIC_URL: "https://portal.example/" };
    expect(parseEnv(withPortal)).toMatchObject({
      publicUrl: "https://portal.example",
      repositoryUrl: "http://portal.example",
      isHttps: true,
    });
    const own = { ...withPortal, REPOSITORY_URL: "http://pki.example/" };
    expect(parseEnv(own).repositoryUrl).toBe("http://pki.example");
  });

  test.each([
    ["PORT", "70000", "PORT must be a whole number from 0 to 65535"],
    ["PORT", "3e3", "PORT must be a whole number from 0 to 65535"],
    ["DATABASE_URL", "mysql://x", "DATABASE_URL must be a PostgreSQL address"],
    ["PUBLIC_URL", "portal.example", "PUBLIC_URL must be an address starting 'http://' or 'https://'"],
    ["REPOSITORY_URL", "https://pki.example", "REPOSITORY_URL must be an address starting 'http://': clients fetch"],
    ["SESSION_SECRETS", "short", "SESSION_SECRETS must be a comma list of secrets of 32 characters or more"],
    ["ROOT_PASSPHRASE", "short", "ROOT_PASSPHRASE must have 12 characters or more"],
    ["CA_PASSPHRASE", "short", "CA_PASSPHRASE must have 12 characters or more"],
    ["RESPONDER_PASSPHRASE", "short", "RESPONDER_PASSPHRASE must have 12 characters or more"],
    ["ADMIN_EMAIL", "admin", "ADMIN_EMAIL must be an email address"],
    ["SMTP_URL", "mail.example:25", "SMTP_URL must be an address such as smtp://"],
    [
      "VAT_SERVICE_URL",
      "http://vies.example",
      "VAT_SERVICE_URL must start 'https://', unless the service is on this machine",
    ],
    ["HMRC_URL", "http://localhost.example", "HMRC_URL must start 'https://', unless the service is on this machine"],
    ["PARTNER_SECRET", "a".repeat(31), "PARTNER_SECRET must have 32 characters or more"],
    ["METRICS_TOKEN", "a".repeat(31), "METRICS_TOKEN must have 32 characters or more"],
    ["HMRC_CLIENT_ID", "an id", "HMRC_CLIENT_SECRET must be set together with the other one of the two"],
    ["HMRC_CLIENT_SECRET", "a secret", "HMRC_CLIENT_ID must be set together with the other one of the two"],
    ["AUTH_PROXY_SECRET", "a".repeat(32), "AUTH_PROXY_ADDRESSES must be set together with the other one of the two"],
    ["AUTH_PROXY_ADDRESSES", "192.0.2.1", "AUTH_PROXY_SECRET must be set together with the other one of the two"],
    ["WEB_CONCURRENCY", "0", "WEB_CONCURRENCY must be a whole number from 1 to 64"],
    ["RATE_LIMITS", "maybe", "RATE_LIMITS "],
  ])("[PUB-07] %s=%s is refused by name", (name, value, problem) => {
    expect(problemsOf(() => parseEnv({ [name]: value }))).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    [{ AUTH_PROXY_SECRET: "a".repeat(31) }, "AUTH_PROXY_SECRET must have 32 characters or more"],
    ...["192.0.2.0/33", "192.0.2.1,", "proxy.example", "::1/129"].map((addresses) => [
      { AUTH_PROXY_ADDRESSES: addresses },
      "AUTH_PROXY_ADDRESSES must be a comma list of addresses or networks such as 192.0.2.0/24",
    ]),
  ] as [Record<string, string>, string][])(
    "[PUB-07] an authentication proxy with %j is refused by name",
    (wrong, problem) => {
      const right = { AUTH_PROXY_SECRET: "a".repeat(32), AUTH_PROXY_ADDRESSES: "192.0.2.1" };
      expect(problemsOf(() => parseEnv({ ...right, ...wrong }))).toEqual([problem]);
    },
  );
});

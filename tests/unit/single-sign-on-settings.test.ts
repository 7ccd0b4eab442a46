import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "~/lib/config.server";
import { parseEnv } from "~/lib/env.server";
import { requireWholeSingleSignOn } from "~/lib/single-sign-on.server";
import { problemsOf } from "../support/config-problems";

const dir = mkdtempSync(join(tmpdir(), "marque-sign-on-"));
afterAll(() => rmSync(dir, { recursive: true }));

const VARIABLES = { OIDC_ISSUER: "https://id.example.org", OIDC_CLIENT_ID: "marque", OIDC_CLIENT_SECRET: "secret" };
const SETTINGS = { name: "Example ID", rights: { officers: ["registration-officer"] } };

function read(singleSignOn?: object) {
  const file = join(dir, "portal.json");
  const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as { accounts: object };
  writeFileSync(file, JSON.stringify({ ...shipped, accounts: { ...shipped.accounts, singleSignOn } }));
  return readConfig(file);
}

describe("single sign-on", () => {
  test("the three variables belong together, and an empty one counts as missing", () => {
    expect(problemsOf(() => parseEnv(VARIABLES))).toEqual([]);
    expect(problemsOf(() => parseEnv({ ...VARIABLES, OIDC_CLIENT_SECRET: "" }))).toEqual([
      "OIDC_CLIENT_SECRET must be set too: OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET belong together",
    ]);
  });

  test.each([
    ["http://id.example.org", "OIDC_ISSUER must start 'https://', unless the provider is on this machine"],
    ["id.example.org", "OIDC_ISSUER must be an address starting 'https://' without query and fragment"],
    ["https://id.example.org/?a=b", "OIDC_ISSUER must be an address starting 'https://' without query and fragment"],
  ])("the issuer %s is refused", (OIDC_ISSUER, problem) => {
    expect(problemsOf(() => parseEnv({ ...VARIABLES, OIDC_ISSUER }))).toEqual([problem]);
  });

  test("an issuer on this machine needs no TLS, and stays as it was written", () => {
    for (const issuer of ["http://localhost:4000", "http://127.0.0.1:4000/realms/ca/", "https://id.example.org/"])
      expect(parseEnv({ ...VARIABLES, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer);
    expect(parseEnv({}).oidc).toBeUndefined();
  });

  test.each<[string, object, string]>([
    ["no name", { rights: SETTINGS.rights }, "accounts.singleSignOn.name is missing"],
    ["no groups", { ...SETTINGS, rights: {} }, "accounts.singleSignOn.rights must name a group"],
    ["a group without rights", { ...SETTINGS, rights: { a: [] } }, "accounts.singleSignOn.rights.a must name a right"],
    ["a scope without openid", { ...SETTINGS, scope: "email" }, "accounts.singleSignOn.scope must contain 'openid'"],
  ])("the configuration file with %s is refused", (_, given, problem) => {
    expect(problemsOf(() => read(given))).toEqual([`PORTAL_CONFIG: ${problem}`]);
  });

  test("groups cannot give the right Applicant, and unknown keys are refused", () => {
    const [problem = ""] = problemsOf(() => read({ ...SETTINGS, rights: { all: ["applicant"] } }));
    expect(problem).toMatch(/^PORTAL_CONFIG: accounts\.singleSignOn\.rights\.all\.0 /);
    expect(problemsOf(() => read({ ...SETTINGS, group: "all" }))).toHaveLength(1);
  });

  test("one half of the settings stops the start with what to set", () => {
    const [on, off] = [parseEnv(VARIABLES), parseEnv({})];
    expect(problemsOf(() => requireWholeSingleSignOn(on, read(SETTINGS)))).toEqual([]);
    expect(problemsOf(() => requireWholeSingleSignOn(off, read()))).toEqual([]);
    expect(problemsOf(() => requireWholeSingleSignOn(on, read()))[0]).toMatch(
      /^PORTAL_CONFIG: accounts\.singleSignOn is/,
    );
    expect(problemsOf(() => requireWholeSingleSignOn(off, read(SETTINGS)))[0]).toMatch(/^OIDC_ISSUER, OIDC_CLIENT_ID/);
  });
});

import { load } from "cheerio";
import { beforeAll, describe, expect, test } from "vitest";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { readRepositoryFile } from "~/domain/repository/files.service.server";
import { type Shell } from "~/domain/shell";
import { loadShell } from "~/http/shell.server";
import { loader as securityText } from "~/routes/[.]well-known.security[.]txt";
import * as repository from "~/routes/_public.certificate-repository";
import * as policy from "~/routes/_public.certificate-repository_.$policy";
import * as login from "~/routes/_public.login";
import * as register from "~/routes/_public.register/route";
import { loader as robots } from "~/routes/robots[.]txt";
import { loader as sitemap } from "~/routes/sitemap[.]xml";
import { visit } from "../components/portal";
import { select } from "../support/page";
import { usePortal } from "../support/portal";
import { TEST_ORIGIN } from "../support/variables";
import { anonymous, jsonOf, run } from "../support/visitor";

usePortal();

const get = (path: string, headers: Record<string, string> = {}) => new Request(TEST_ORIGIN + path, { headers });

const FILES = ["root", "issuing-sha2", "root-g3", "issuing-g3"].flatMap((name) => [`${name}.cer`, `${name}.pem`]);
const LISTS = ["issuing-sha2.crl", "issuing-sha2-delta.crl"];
const POLICIES = ["certificate-policy", "certification-practice-statement", "subscriber-agreement"];

beforeAll(async () => {
  await publishCrls("issuing-sha2");
});

/** Returns whether a crawler may read a path. The longest matching rule applies (RFC 9309 §2.2.2). */
function mayRead(text: string, path: string): boolean {
  const rules = [...text.matchAll(/^(Allow|Disallow): (.+)$/gm)].map(([, verb, prefix = ""]) => ({ verb, prefix }));
  const matching = rules.filter(({ prefix }) => path.startsWith(prefix));
  const longest = matching.sort((a, b) => b.prefix.length - a.prefix.length)[0];
  return longest?.verb !== "Disallow";
}

describe("robots.txt", () => {
  test("[REP-04] allows the public pages and the repository and nothing behind the login", async () => {
    const answer = await run(robots, get("/robots.txt"));
    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    const text = await answer.text();
    expect(text).toMatch(/^User-agent: \*\n/);
    expect(text).toContain(`\nSitemap: ${TEST_ORIGIN}/sitemap.xml\n`);
    for (const path of ["/", "/login", "/register", "/certificate-repository", "/repository/root.cer", "/build/x.css"])
      expect({ path, allowed: mayRead(text, path) }).toEqual({ path, allowed: true });
    for (const path of [
      "/home",
      "/home/dashboard",
      "/home/certificate-repository",
      "/reset-code/token/a%40b",
      "/verify-email/token",
      "/authorise-order/token",
      "/new-certificate/token",
      "/no-more-messages/token",
      "/stop-following/token",
      "/login-as-user/1/token",
      "/partner/verify-token",
    ])
      expect({ path, allowed: mayRead(text, path) }).toEqual({ path, allowed: false });
  });
});

test("security.txt says where to report a vulnerability, and until when that holds (RFC 9116)", async () => {
  const answer = await run(securityText, get("/.well-known/security.txt"));
  expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const lines = (await answer.text()).trimEnd().split("\n");
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  expect(valuesOf("Contact")).toEqual(["https://www.example.org/contact", "mailto:policy@example.org"]);
  expect(valuesOf("Canonical")).toEqual([`${TEST_ORIGIN}/.well-known/security.txt`]);
  const [until = ""] = valuesOf("Expires");
  const days = (Date.parse(until) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(85);
  expect(days).toBeLessThan(125);
});

describe("sitemap.xml", () => {
  const entries = async () => {
    const $ = load(await (await run(sitemap, get("/sitemap.xml"))).text(), { xml: true });
    const urls = $("urlset > url").toArray();
    return new Map(urls.map((url) => [$("loc", url).text(), $("lastmod", url).text()]));
  };

  test("[REP-04] names no page that robots.txt forbids", async () => {
    const text = await (await run(robots, get("/robots.txt"))).text();
    const paths = [...(await entries()).keys()].map((address) => new URL(address).pathname);
    expect(paths).toContain("/api/docs");
    expect(paths.filter((path) => !mayRead(text, path))).toEqual([]);
    expect(mayRead(text, "/api/token")).toBe(false);
  });

  test("[REP-04] names the public pages and every published file of the repository with its last change", async () => {
    const found = await entries();
    expect([...found.keys()].sort()).toEqual(
      [
        ...["/", "/register", "/forgot-password", "/certificate-repository", "/prepare-csr", "/api/docs"],
        ...["/check-csr", "/report-key", "/csr-rules", "/status"],
        ...[...FILES, ...LISTS, ...POLICIES.map((name) => `${name}.pdf`)].map((file) => `/repository/${file}`),
        ...POLICIES.map((name) => `/certificate-repository/${name}`),
      ]
        .map((path) => TEST_ORIGIN + path)
        .sort(),
    );
    for (const file of [...FILES, ...LISTS]) {
      const served = await readRepositoryFile(file);
      expect(found.get(`${TEST_ORIGIN}/repository/${file}`)).toBe(served?.lastModified.toISOString());
    }
    for (const name of POLICIES) {
      const served = (await readRepositoryFile(`${name}.pdf`))?.lastModified.toISOString();
      for (const path of [`/repository/${name}.pdf`, `/certificate-repository/${name}`])
        expect(found.get(TEST_ORIGIN + path)).toBe(served);
    }
    const newest = [...FILES, ...LISTS, "certificate-policy.pdf"]
      .map((file) => found.get(`${TEST_ORIGIN}/repository/${file}`) ?? "")
      .sort();
    expect(found.get(`${TEST_ORIGIN}/certificate-repository`)).toBe(newest.at(-1));
  });

  test("[REP-04] is XML of the sitemap's namespace with one address on each line", async () => {
    const answer = await run(sitemap, get("/sitemap.xml"));
    expect(answer.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
    const [declaration, start, ...lines] = (await answer.text()).split("\n");
    expect(declaration).toBe('<?xml version="1.0" encoding="UTF-8"?>');
    expect(start).toBe('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">');
    expect(lines.slice(-2)).toEqual(["</urlset>", ""]);
    for (const line of lines.slice(0, -2))
      expect(line).toMatch(/^ {2}<url><loc>[^<>&]+<\/loc>(<lastmod>[^<>&]+<\/lastmod>)?<\/url>$/);
  });

  test("[REP-04] is answered with 304, as robots.txt is, when the client's copy is current", async () => {
    for (const [loader, path] of [
      [robots, "/robots.txt"],
      [sitemap, "/sitemap.xml"],
      [securityText, "/.well-known/security.txt"],
    ] as const) {
      const first = await run(loader, get(path));
      const etag = first.headers.get("ETag") ?? "";
      expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
      expect(first.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
      for (const tags of [etag, etag.slice(2), `"x", ${etag}`, "*"])
        expect((await run(loader, get(path, { "If-None-Match": tags }))).status).toBe(304);
      expect((await run(loader, get(path, { "If-None-Match": '"x"' }))).status).toBe(200);
    }
  });
});

describe("public pages", () => {
  const headOf = (html: string) => ({
    canonical: select(html, 'link[rel="canonical"]').attr("href"),
    description: select(html, 'meta[name="description"]').attr("content"),
  });

  test.each([
    [login, "/", "/"],
    [login, "/login", "/"],
    [login, "/login/?redirectTo=%2Fhome", "/"],
    [login, "/LOGIN", "/"],
    [register, "/register", "/register"],
    [repository, "/certificate-repository/", "/certificate-repository"],
    [policy, "/certificate-repository/certificate-policy", "/certificate-repository/certificate-policy"],
  ])(
    "[REP-04] [PUB-01] have one address and an own description: case %#",
    async ({ default: View, loader }, path, canonical) => {
      const visitor = await anonymous();
      const params = { policy: path.split("/").at(-1) ?? "" };
      const shell = await jsonOf<Shell>(await loadShell(visitor.get(path)));
      const page = { view: () => <View />, loader: () => run(loader, visitor.get(path), params), shell };
      const head = headOf((await visit(page, { path })).html);
      expect(head.canonical).toBe(TEST_ORIGIN + canonical);
      expect(head.description?.length).toBeGreaterThan(20);
      expect(head.description?.length).toBeLessThan(160);
    },
  );
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { HttpVisitor, sourcesOf } from "../support/http-visitor";
import { select, textsOf } from "../support/page";

const NOT_FOUND = "The requested page cannot be found. Please make sure that the entered URL is correct and try again.";

const LINKS = {
  helpLink: "https://own.example/help",
  pricingLink: "https://own.example/pricing",
  contactLink: "https://own.example/contact",
  faqLink: "https://own.example/faq",
  termsAndConditionsLink: "https://own.example/terms",
  cookiesLink: "https://own.example/cookies",
  privacyPolicyLink: "https://own.example/privacy",
};
const LEGAL = {
  company: "Own Association SE",
  address: "2 Own Street, Köln",
  registration: ["Registered in Köln no. 42", "VAT no. DE123456789"],
  phone: "+49 221 1234",
  fax: "+49 221 5678",
  social: [{ name: "Mastodon", url: "https://social.example/own" }],
};

const dir = mkdtempSync(join(tmpdir(), "marque-public-"));
const config = join(dir, "portal.json");
let portal: RunningPortal;

beforeAll(async () => {
  const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as object;
  writeFileSync(config, JSON.stringify({ ...shipped, ...LINKS, legal: LEGAL }));
  portal = await startPortal({ PORTAL_CONFIG: config, WEB_CONCURRENCY: "2", RATE_LIMITS: "off" });
});
afterAll(async () => {
  await portal.dispose();
  rmSync(dir, { recursive: true });
});

const visitor = () => new HttpVisitor(portal.origin);
const admin = async () => {
  const person = visitor();
  await person.logIn(ADMIN);
  return person;
};
const htmlAt = async (person: HttpVisitor, path: string) => (await person.get(path)).text();

/** Requests exactly this path, which `fetch` would normalise. */
const raw = (path: string, method = "GET"): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(portal.origin);
    const sent = httpRequest(
      { hostname, port, path, method, agent: false, headers: { Accept: "text/html" } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      },
    );
    sent.on("error", reject);
    sent.end();
  });

test("[CAL-02] OCSP answers at the address in the certificates, before the checks for pages", async () => {
  const answer = await fetch(`${portal.origin}/ocsp`, { method: "POST", body: "no request" });
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/ocsp-response"]);
  expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0x30, 3, 0x0a, 1, 1]);
  expect(answer.headers.get("Set-Cookie")).toBeNull();
  expect((await visitor().get("/ocspx")).status).toBe(404);
});

describe("header and footer", () => {
  const linksIn = (html: string, part: string) => {
    const $ = load(html);
    const links = $(part).find("a").toArray();
    return links.map((link) => `${$(link).text()} ${link.attribs.href}`);
  };

  test("[PUB-01] [PUB-04] [PUB-05] [PUB-07] / and /login show the login screen with the header and footer of the configuration file", async () => {
    for (const path of ["/", "/login"]) {
      const answer = await visitor().get(path);
      const html = await answer.text();
      expect(answer.status).toBe(200);
      expect(select(html, "form#login").length).toBe(1);
      expect(linksIn(html, "header")).toEqual([
        "Supply Chain CA /",
        "Repository /certificate-repository",
        `Pricing ${LINKS.pricingLink}`,
        `Contact Us ${LINKS.contactLink}`,
        `Help ${LINKS.helpLink}`,
      ]);
      const footer = select(html, "footer").text();
      for (const text of [
        `© ${new Date().getUTCFullYear()} Own Association SE`,
        LEGAL.address,
        ...LEGAL.registration,
        `Fax ${LEGAL.fax}`,
      ])
        expect(footer).toContain(text);
      expect(linksIn(html, "footer")).toEqual([
        `${LEGAL.phone} tel:+492211234`,
        `Terms ${LINKS.termsAndConditionsLink}`,
        `Privacy ${LINKS.privacyPolicyLink}`,
        `Cookies ${LINKS.cookiesLink}`,
        "Status /status",
        "Check a CSR /check-csr",
        "Report a compromised key /report-key",
        "Mastodon https://social.example/own",
      ]);
    }
  });

  test("[DSH-02] after login the header has the portal's pages, the configured ones and Log out; [DSH-01] learn more is the configured FAQ", async () => {
    const html = await htmlAt(await admin(), "/home/dashboard");
    const header = linksIn(html, "header").filter((link) => !/\/home\/(user-management|certificate-queue)$/.test(link));
    expect(header).toEqual([
      "Supply Chain CA /",
      "Home /home/dashboard",
      "Certificates /home/certificates",
      "ID Codes /home/codes",
      "Repository /home/certificate-repository",
      `Pricing ${LINKS.pricingLink}`,
      `Contact Us ${LINKS.contactLink}`,
      `Help ${LINKS.helpLink}`,
    ]);
    expect(textsOf(html, 'form[method="post"][action="/logout"] button[type="submit"]')).toEqual(["Log out"]);
    expect(textsOf(html, `a[href="${LINKS.faqLink}"]`)).toEqual(["Learn more about ID codes"]);
  });

  test("[DSH-01] every link of the dashboard leads to an existing page", async () => {
    const person = await admin();
    const $ = load(await htmlAt(person, "/home/dashboard"));
    const links = $('a[href^="/"]').toArray();
    const inside = links.map((link) => link.attribs.href ?? "");
    expect(inside).toContain("/home/manage");
    for (const path of new Set(inside)) {
      const { status } = await person.get(path);
      expect({ path, status }).toEqual({ path, status: path === "/" ? 302 : 200 });
    }
  });

  test("[PUB-08] the repository leads back to the login when logged out and to the dashboard when logged in", async () => {
    const back = async (person: HttpVisitor) =>
      select(await htmlAt(person, "/certificate-repository"), 'a:contains("‹ Back")').attr("href");
    expect(await back(visitor())).toBe("/login");
    expect(await back(await admin())).toBe("/home/dashboard");
  });
});

describe("unknown paths", () => {
  const PATHS = [
    "/nowhere",
    "/nowhere/",
    "/nowhere?x=1",
    "/home/nowhere",
    "/home/nowhere/",
    "/home/frame",
    "/home/frame/odette",
    "/home/certificates/nowhere/1",
    "/home/%6Eowhere",
    "/%E0%A4%A",
    "/home/%E0%A4%A",
    "/%",
    "/home/%zz",
    "/%00",
    "/home/%00",
    "/%2e%2e%2fetc%2fpasswd",
    "/..%2f..%2fetc/passwd",
    "/home//nowhere",
    "//nowhere/x",
    "/%F0%9F%9A%97",
    "/<script>",
    "/index.php",
    "/.env",
    "/reset-code/one/two/three",
    `/${"a".repeat(4000)}`,
  ];

  test("[PUB-06] answer 404 with the page-not-found text, public and under /home, logged in or not", async () => {
    for (const path of PATHS) {
      const { status, text } = await raw(path);
      expect({ path, status, said: text.includes(NOT_FOUND) }).toEqual({ path, status: 404, said: true });
    }
    const person = await admin();
    for (const path of ["/nowhere", "/home/nowhere", "/home/nowhere/", "/home/%E0%A4%A"]) {
      const answer = await person.get(path);
      const html = await answer.text();
      expect({ path, status: answer.status, said: html.includes(NOT_FOUND) }).toEqual({
        path,
        status: 404,
        said: true,
      });
      expect(html).toContain("Log out");
    }
  });

  test("[PUB-06] answer 404 to a form and to HEAD", async () => {
    for (const path of ["/nowhere", "/home/nowhere", "/home/nowhere/", "/%E0%A4%A"]) {
      const { status, text } = await raw(path, "POST");
      expect({ path, status, said: text.includes(NOT_FOUND) }).toEqual({ path, status: 404, said: true });
      expect((await raw(path, "HEAD")).status).toBe(404);
    }
  });
});

describe("for crawlers", () => {
  test("[REP-04] robots.txt and sitemap.xml exist, and every address of the sitemap answers without login and scripts", async () => {
    const robots = await fetch(`${portal.origin}/robots.txt`);
    expect([robots.status, robots.headers.get("Set-Cookie")]).toEqual([200, null]);
    const address = /^Sitemap: (.+)$/m.exec(await robots.text())?.[1] ?? "";
    expect(address).toBe(`${portal.origin}/sitemap.xml`);
    const sitemap = await fetch(address);
    expect([sitemap.status, sitemap.headers.get("Set-Cookie")]).toEqual([200, null]);
    const $ = load(await sitemap.text(), { xml: true });
    const places = $("loc").toArray();
    const addresses = places.map((place) => $(place).text());
    expect(addresses).toContain(`${portal.origin}/repository/issuing-sha2.cer`);
    for (const loc of addresses) {
      const answer = await fetch(loc, { redirect: "manual" });
      expect({ loc, status: answer.status }).toEqual({ loc, status: 200 });
      if (!answer.headers.get("Content-Type")?.startsWith("text/html")) continue;
      expect(select(await answer.text(), 'link[rel="canonical"]').attr("href")).toBe(loc);
    }
  });

  test("[REP-04] a login page at another address names the canonical one; private pages name none", async () => {
    const login = await htmlAt(visitor(), "/login?redirectTo=%2Fhome");
    expect(select(login, 'link[rel="canonical"]').attr("href")).toBe(`${portal.origin}/`);
    expect(await htmlAt(visitor(), "/nowhere")).not.toContain("canonical");
    expect(await htmlAt(await admin(), "/home/dashboard")).not.toContain("canonical");
  });
});

describe("the banner and the content security policy", () => {
  const SETTINGS = { banner: "https://images.example:8443/b.png", link: "https://own.example", tooltip: "Meet us" };
  const NONE = ["'self'", "data:"];
  const imagesOf = async (path: string) => sourcesOf(await visitor().get(path), "img-src");

  test("[PUB-03] [MAN-01] every page names the banner's origin at once in every process, and no longer after its removal", async () => {
    const person = await admin();
    expect(await imagesOf("/")).toEqual(NONE);
    expect((await person.post("/home/manage", SETTINGS)).status).toBe(303);
    // Two processes answer in turn.
    for (let round = 0; round < 8; round += 1)
      for (const path of ["/", "/login", "/register"])
        expect(await imagesOf(path)).toEqual([...NONE, "https://images.example:8443"]);
    expect(select(await htmlAt(visitor(), "/"), "img").attr("src")).toBe(SETTINGS.banner);

    expect((await person.post("/home/manage", { ...SETTINGS, banner: "http://other.example/b.png" })).status).toBe(303);
    for (let round = 0; round < 8; round += 1) expect(await imagesOf("/")).toEqual([...NONE, "http://other.example"]);

    expect((await person.post("/home/manage", { intent: "remove", confirmed: "yes" })).status).toBe(303);
    for (let round = 0; round < 8; round += 1) expect(await imagesOf("/")).toEqual(NONE);
    expect(select(await htmlAt(visitor(), "/"), "img").length).toBe(0);
  });

  test("[FRM-02] without PARTNER_SECRET nobody can verify a token", async () => {
    const answer = await fetch(`${portal.origin}/partner/verify-token`, {
      method: "POST",
      body: new URLSearchParams({ token: "x" }),
      headers: { Authorization: "Bearer undefined" },
    });
    expect([answer.status, await answer.text()]).toEqual([
      404,
      "Tokens cannot be verified: PARTNER_SECRET is not set.\n",
    ]);
  });
});

import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { HttpVisitor, sourcesOf } from "../support/http-visitor";
import { pageText, select } from "../support/page";

const REPOSITORY = "/certificate-repository";
const POLICY = `${REPOSITORY}/certificate-policy`;
const PAGES = [REPOSITORY, POLICY, "/api/docs"];

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.dispose());

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(portal.origin + path, { redirect: "manual", headers: { Accept: "text/html", ...headers } });

/** Returns the bytes of a page as they were sent in an encoding. */
const sentAs = (path: string, encoding: string) =>
  new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
    const headers = { Accept: "text/html", "Accept-Encoding": encoding };
    const sent = httpRequest(portal.origin + path, { agent: false, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve({ encoding: answer.headers["content-encoding"], bytes: Buffer.concat(chunks) }));
    });
    sent.on("error", reject).end();
  });

describe("public pages that are stored", () => {
  test.each(PAGES)(
    "[REP-01] %s gets no session and no token, and its policy allows exactly its own scripts",
    async (path) => {
      const answer = await open(path);
      const html = await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Set-Cookie")).toBeNull();
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(answer.headers.get("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
      expect(select(html, 'input[name="csrf"]').attr("value")).toBe("");
      const $ = load(html);
      const inline = $("script:not([src])").toArray();
      const hashes = inline.map(
        (script) => `'sha256-${createHash("sha256").update($(script).text()).digest("base64")}'`,
      );
      expect(hashes.length).toBeGreaterThan(1);
      expect(sourcesOf(answer, "script-src")).toEqual(["'self'", ...hashes]);
    },
  );

  test("[REP-01] are the same page in every encoding, for GET and HEAD", async () => {
    const [br, gzip, plain] = await Promise.all(["br", "gzip", "identity"].map((one) => sentAs(REPOSITORY, one)));
    expect([br?.encoding, gzip?.encoding, plain?.encoding]).toEqual(["br", "gzip", undefined]);
    const html = plain?.bytes.toString() ?? "";
    expect(html).toMatch(/<\/html>$/);
    expect(brotliDecompressSync(br?.bytes ?? "").toString()).toBe(html);
    expect(gunzipSync(gzip?.bytes ?? "").toString()).toBe(html);
    const head = await fetch(portal.origin + REPOSITORY, {
      method: "HEAD",
      headers: { "Accept-Encoding": "identity" },
    });
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, String(plain?.bytes.length)]);
  });

  test("[REP-01] [REP-03] show a new CRL as soon as it is published", async () => {
    const before = await (await open(REPOSITORY)).text();
    expect(await (await open(REPOSITORY)).text()).toBe(before);
    const { code } = await portal.command(["ca", "publish"]);
    expect(code).toBe(0);
    const after = await (await open(REPOSITORY)).text();
    expect(pageText(after)).not.toBe(pageText(before));
  });

  test("[REP-01] [PUB-08] are made for the visitor when there is a session", async () => {
    const visitor = new HttpVisitor(portal.origin);
    await visitor.logIn(ADMIN);
    const answer = await visitor.get(REPOSITORY);
    const html = await answer.text();
    expect(sourcesOf(answer, "script-src")?.[1]).toMatch(/^'nonce-/);
    expect(html).toContain("Log out");
    expect(await (await open(REPOSITORY)).text()).not.toContain("Log out");
  });

  test("[PUB-05] let a visitor without a session choose colours, but not a page of another site", async () => {
    const choose = (headers: Record<string, string>) =>
      fetch(`${portal.origin}/theme`, {
        method: "POST",
        redirect: "manual",
        headers,
        body: new URLSearchParams({ csrf: "", theme: "dark", returnTo: POLICY }),
      });
    const chosen = await choose({ Origin: portal.origin });
    expect([chosen.status, chosen.headers.get("Location")]).toEqual([303, POLICY]);
    const [cookie = ""] = chosen.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
    const themeOf = async (headers: Record<string, string>) =>
      select(await (await open(POLICY, headers)).text(), "html").attr("data-theme");
    expect([await themeOf({ Cookie: cookie }), await themeOf({})]).toEqual(["dark", undefined]);
    const others: Record<string, string>[] = [
      { Origin: "https://other.example" },
      { "Sec-Fetch-Site": "cross-site" },
      {},
    ];
    for (const headers of others) {
      const refused = await choose(headers);
      expect([refused.status, refused.headers.getSetCookie().some((one) => one.startsWith("theme="))]).toEqual([
        403,
        false,
      ]);
    }
  });

  test("[REP-01] are not stored with a query, so that nobody can fill the memory", async () => {
    const answer = await open(`${REPOSITORY}?x=1`);
    expect(answer.status).toBe(200);
    expect(sourcesOf(answer, "script-src")?.[1]).toMatch(/^'nonce-/);
  });

  test("[LOG-08] pass the gate like every page: an address with an invalid host is refused", async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const sent = httpRequest(portal.origin + REPOSITORY, { agent: false, headers: { Host: "a b" } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on("error", reject).end();
    });
    expect(status).toBe(400);
  });
});

describe("public pages with a form", () => {
  const FORMS = ["/", "/login", "/register", "/forgot-password"];

  test.each(FORMS)("[LOG-01] %s gives each visitor a session, a token and a nonce of their own", async (path) => {
    const visit = async () => {
      const answer = await open(path);
      const html = await answer.text();
      const $ = load(html);
      const tokens = new Set(
        $('main input[name="csrf"]')
          .toArray()
          .map((field) => $(field).attr("value")),
      );
      const nonces = new Set(
        $("script")
          .toArray()
          .map((script) => $(script).attr("nonce")),
      );
      expect(answer.headers.getSetCookie()).toHaveLength(1);
      expect(sourcesOf(answer, "script-src")).toEqual(["'self'", `'nonce-${[...nonces].join()}'`]);
      const [token = "", ...others] = tokens;
      expect([token, others]).toEqual([expect.stringMatching(/^[\w-]{43}\.$/), []]);
      const scripts = $("script:not([src])").text();
      expect(scripts).toContain(token);
      return { token, nonce: [...nonces].join(), cookie: answer.headers.getSetCookie().join() };
    };
    const [one, two] = [await visit(), await visit()];
    for (const name of ["token", "nonce", "cookie"] as const) expect(one[name]).not.toBe(two[name]);
  });

  test("[LOG-01] are the same bytes for every visitor but for those", async () => {
    const [br, gzip, plain] = await Promise.all(["br", "gzip", "identity"].map((one) => sentAs("/login", one)));
    expect([br?.encoding, gzip?.encoding, plain?.encoding]).toEqual(["br", "gzip", undefined]);
    const texts = [brotliDecompressSync(br?.bytes ?? ""), gunzipSync(gzip?.bytes ?? ""), plain?.bytes].map(String);
    const own = (html: string) => [
      select(html, "script").attr("nonce"),
      select(html, 'input[name="csrf"]').attr("value"),
    ];
    const same = texts.map((html) => own(html).reduce<string>((rest, part) => rest.replaceAll(part ?? "", ""), html));
    expect(new Set(same).size).toBe(1);
  });

  test("[LOG-01] are accepted with the token and the cookie of the same visitor only", async () => {
    const visit = async () => {
      const answer = await open("/login");
      const token = select(await answer.text(), 'main input[name="csrf"]').attr("value") ?? "";
      return {
        token,
        cookie: answer.headers
          .getSetCookie()
          .map((one) => one.split(";")[0])
          .join("; "),
      };
    };
    const [one, two] = [await visit(), await visit()];
    const send = (cookie: string, csrf: string) =>
      fetch(`${portal.origin}/login`, {
        method: "POST",
        redirect: "manual",
        headers: { Cookie: cookie, Accept: "text/html" },
        body: new URLSearchParams({ csrf, email: ADMIN.email, password: ADMIN.password }),
      });
    expect((await send(one.cookie, two.token)).status).toBe(403);
    expect((await send("", one.token)).status).toBe(403);
    expect((await send(one.cookie, one.token)).status).toBe(303);
  });

  test("[MAN-01] show a new banner at once", async () => {
    const visitor = new HttpVisitor(portal.origin);
    await visitor.logIn(ADMIN);
    const banner = { banner: "https://images.example/banner.png", link: "https://example.org/", tooltip: "Conference" };
    expect(await (await open("/login")).text()).not.toContain(banner.banner);
    await visitor.post("/home/manage", { __rvfInternalFormId: "homepage", ...banner });
    expect(await (await open("/login")).text()).toContain(banner.banner);
    await visitor.post("/home/manage", { intent: "remove", confirmed: "yes" });
    expect(await (await open("/login")).text()).not.toContain(banner.banner);
  });
});

test("[GEN-04] /healthz answers while the process is alive, and other methods are refused", async () => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await fetch(`${portal.origin}/healthz`, { method });
    expect([answer.status, await answer.text()]).toEqual([200, method === "GET" ? "ok\n" : ""]);
  }
  const refused = await fetch(`${portal.origin}/healthz`, { method: "DELETE" });
  expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

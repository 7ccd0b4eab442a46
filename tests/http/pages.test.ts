import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { load } from "cheerio";
import { HtmlValidate } from "html-validate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { HttpVisitor } from "../support/http-visitor";
import { pageText, select, textsOf } from "../support/page";

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.dispose());

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

interface Manifest {
  entry: { module: string; imports: string[] };
  routes: Record<string, { module: string; imports?: string[]; parentId?: string } | undefined>;
}

/** Returns the answer with its size as it was sent: compressed bytes are counted before they are unpacked. */
const onTheWire = (path: string, { method = "GET", headers = {}, body = "" } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      portal.origin + path,
      { agent: false, method, headers: { "Accept-Encoding": "br, gzip", ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });

const page = async (path: string) => {
  const response = await fetch(portal.origin + path);
  return { status: response.status, headers: response.headers, html: await response.text() };
};

const stylesOf = (html: string) => {
  const links = load(html)('link[rel="stylesheet"]').toArray();
  return [...new Set(links.map(({ attribs }) => attribs.href ?? ""))];
};

describe("budgets", () => {
  test("[PUB-01] the HTML and CSS of the login page stay within 14 KB compressed", async () => {
    const { html } = await page("/");
    const styles = stylesOf(html);
    expect(styles.length).toBeGreaterThan(0);
    const sizes = await Promise.all(["/", ...styles].map(async (path) => (await onTheWire(path)).bytes.length));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(
      `sign-in page: HTML ${sizes[0]} bytes, CSS ${total - (sizes[0] ?? 0)} bytes, together ${total} of 14336 compressed`,
    );
    expect(total).toBeLessThanOrEqual(14 * 1024);
    expect(select(html, "img, iframe, video")).toHaveLength(0);
  });

  test("the licences of the packages are in a file of their own, which the scripts name", async () => {
    const answer = await fetch(`${portal.origin}/build/licences.txt`);
    expect(answer.headers.get("Content-Type")).toMatch(/^text\/plain/);
    const text = await answer.text();
    for (const name of ["react-dom.production.min.js", "@remix-run/router"]) expect(text).toContain(name);
    const { html } = await page("/");
    const scripts = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, path]) => String(path));
    const texts = await Promise.all(scripts.map(async (path) => (await fetch(portal.origin + path)).text()));
    expect(texts.join("")).toContain("/*! Licences: /build/licences.txt */");
    expect(texts.join("")).not.toContain("Bundled license information");
  });

  test("[GEN-04] the scripts of every route stay within 110 KB compressed", async () => {
    const { html } = await page("/");
    const [, manifestPath = ""] = /"(\/build\/manifest-[^"]+\.js)"/.exec(select(html, "script").text()) ?? [];
    const text = await (await fetch(portal.origin + manifestPath)).text();
    const manifest = JSON.parse(text.replace(/^window\.__remixManifest=/, "").replace(/;$/, "")) as Manifest;
    const sizes = new Map<string, number>();
    const sizeOf = async (path: string) => {
      const size = sizes.get(path) ?? (await onTheWire(path)).bytes.length;
      sizes.set(path, size);
      return size;
    };

    const totals: Record<string, number> = {};
    for (const id of Object.keys(manifest.routes)) {
      const files = new Set([manifest.entry.module, ...manifest.entry.imports]);
      for (let route = manifest.routes[id]; route; route = manifest.routes[route.parentId ?? ""])
        for (const file of [route.module, ...(route.imports ?? [])]) files.add(file);
      totals[id] = (await Promise.all([...files].map(sizeOf))).reduce((sum, size) => sum + size, 0);
    }
    const heaviest = Object.entries(totals).sort(([, one], [, other]) => other - one);
    console.log(
      `heaviest scripts: ${heaviest
        .slice(0, 3)
        .map(([id, size]) => `${id} ${size}`)
        .join(", ")} of 112640 bytes`,
    );
    expect(heaviest.length).toBeGreaterThan(20);
    expect(heaviest.filter(([, size]) => size > 110 * 1024)).toEqual([]);
  });
});

describe("headers", () => {
  test("[LOG-07] every page has a strict policy with its own nonce and is not cached", async () => {
    const [one, two] = await Promise.all([page("/"), page("/")]);
    const nonceOf = ({ headers }: typeof one) =>
      headers.get("Content-Security-Policy")?.match(/script-src 'self' 'nonce-([^']+)'/)?.[1] ?? "";
    expect(nonceOf(one)).toMatch(/^[\w+/]{22}==$/);
    expect(nonceOf(one)).not.toBe(nonceOf(two));
    const scripts = load(one.html)("script").toArray();
    expect(scripts.length).toBeGreaterThan(0);
    for (const { attribs } of scripts) expect(attribs.nonce).toBe(nonceOf(one));
    const policy = one.headers.get("Content-Security-Policy") ?? "";
    for (const part of [
      "default-src 'none'",
      "style-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain("'unsafe"); // the quote distinguishes it from a nonce
    expect(select(one.html, "[style]")).toHaveLength(0);
    expect(one.headers.get("Cache-Control")).toBe("no-store");
    expect(one.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(one.headers.get("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
    expect(one.headers.has("X-Powered-By")).toBe(false);
    expect(one.headers.get("Set-Cookie")).toMatch(/HttpOnly.*SameSite=Lax/i);
  });

  test("[GEN-04] built files are cached for ever, health checks never", async () => {
    const { html } = await page("/");
    const [style = ""] = stylesOf(html);
    expect((await onTheWire(style)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    for (const path of ["/healthz", "/readyz"])
      expect(await onTheWire(path)).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
  });
});

describe("refusals", () => {
  test("[PUB-06] an unknown path is a 404 page with the specified text, with and without a login", async () => {
    for (const path of ["/nowhere", "/certificates/1", "/build/none.js", "/%00"])
      expect((await page(path)).status).toBe(404);
    expect(pageText((await page("/nowhere")).html)).toContain(
      "The requested page cannot be found. Please make sure that the entered URL is correct and try again.",
    );
  });

  test("[PUB-04] [PUB-05] [PUB-06] a refused form and a form to an unknown path get a page with the portal's name, header and footer", async () => {
    const { name } = (JSON.parse(readFileSync("config/portal.json", "utf8")) as { branding: { name: string } })
      .branding;
    const visitor = new HttpVisitor(portal.origin);
    await visitor.logIn(ADMIN);
    for (const [path, status, title] of [
      ["/nowhere", 404, "Page not found"],
      ["/login", 403, "Not allowed"],
      ["/home/manage", 403, "Not allowed"],
    ] as const) {
      const answer = await visitor.post(path, { csrf: "wrong" });
      const html = await answer.text();
      expect({ path, status: answer.status, title: textsOf(html, "head > title")[0] }).toEqual({
        path,
        status,
        title: `${title} - ${name}`,
      });
      expect(select(html, "header ~ footer")).toHaveLength(1);
    }
  });

  test("[LOG-08] a bad request is not logged as an error, and no token of its address is logged", async () => {
    const before = portal.output().length;
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const answers = await Promise.all([
      onTheWire("/reset-code/kept-out?_data=routes%2Fhome.dashboard"),
      onTheWire("/login?_data=routes%2Fnone"),
      onTheWire("/?_data=root", { method: "POST", headers: form, body: "a=b" }),
      onTheWire("/robots.txt", { method: "POST", headers: form, body: "a=b" }),
      onTheWire("/sitemap.xml", { method: "POST" }),
      onTheWire("/nowhere"),
      onTheWire("/nowhere", { method: "POST", headers: form, body: "a=b" }),
      onTheWire("/login", { method: "POST", headers: form, body: "a=b" }),
      onTheWire("/build/none.js"),
      onTheWire("/build/none.js", { method: "POST" }),
      onTheWire("/build/%00"),
      onTheWire("/build/%"),
      onTheWire("/build/..%2f..%2fpackage.json"),
      onTheWire("/%00"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...[403, 403, 405, 405, 405, 404, 404, 403],
      ...[404, 405, 400, 400, 403, 404],
    ]);
    const printed = () => portal.output().slice(before);
    await onTheWire("/readyz");
    await vi.waitFor(() => expect(printed()).toContain('"path":"/readyz"'));
    const lines = printed().trim().split("\n");
    expect(lines.filter((line) => !/^\{"level":[34]0,/.test(line))).toEqual([]);
    const refusals = lines.filter((line) => line.startsWith('{"level":40,'));
    expect(refusals.map((line) => (JSON.parse(line) as { path: string }).path).sort()).toEqual([
      "/",
      "/login",
      "/reset-code/[removed]",
      "/robots.txt",
      "/sitemap.xml",
    ]);
    expect(printed()).not.toContain("kept-out");
  });

  test("[LOG-08] a form that is too large, has no token or a strange type is refused clearly, without a stack trace", async () => {
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const answers = await Promise.all([
      onTheWire("/login", { method: "POST", headers: form, body: "a".repeat(9_000_000) }),
      onTheWire("/login", { method: "POST", headers: form, body: "email=a" }),
      onTheWire("/login", { method: "POST", headers: form, body: `email=${"a".repeat(300_000)}` }),
      onTheWire("/login", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{" }),
      onTheWire("/login", { method: "PUT", headers: form, body: "email=a" }),
      onTheWire("/login", { method: "DELETE" }),
      onTheWire("/login", { method: "OPTIONS" }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([413, 403, 413, 400, 405, 405, 405]);
    for (const answer of answers) expect(answer.bytes.toString()).not.toMatch(/at \w+ \(|node_modules/);
  });

  test("[LOG-08] strange hosts and origins are refused and never answered with 500", async () => {
    const hosts = ["a b", "[::1", "%", "x:99999999", "evil.example/path"];
    const byHost = await Promise.all(hosts.map((Host) => onTheWire("/login", { headers: { Host } })));
    expect(byHost.map(({ status }) => status)).toEqual(hosts.map(() => 400));
    const origins = ["null", "https://evil.example", "nonsense"];
    const byOrigin = await Promise.all(
      origins.map((Origin) => onTheWire("/login", { method: "POST", headers: { Origin } })),
    );
    expect(byOrigin.map(({ status }) => status)).toEqual(origins.map(() => 403));
    const forwarded = await onTheWire("/login", { headers: { "X-Forwarded-Host": "evil:99999999" } });
    expect(forwarded.status).toBe(200);
  });

  test("[PUB-06] the pages are valid HTML", async () => {
    const validator = new HtmlValidate({ extends: ["html-validate:standard"], rules: { "no-inline-style": "error" } });
    for (const path of [
      "/",
      "/register",
      "/certificate-repository",
      "/certificate-repository/certification-practice-statement",
      "/check-csr",
      "/report-key",
      "/csr-rules",
      "/status",
      "/prepare-csr",
      "/prepare-csr?commonName=oftp.example.com&organisation=Example&country=GB",
      "/nowhere",
    ]) {
      const report = await validator.validateString((await page(path)).html);
      expect({
        path,
        messages: report.results.flatMap((result) =>
          result.messages.map(({ ruleId, message, selector }) => ({ ruleId, message, selector })),
        ),
      }).toEqual({ path, messages: [] });
    }
  });
});

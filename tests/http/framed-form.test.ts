import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { HttpVisitor, sourcesOf } from "../support/http-visitor";
import { select, valueOf } from "../support/page";

const SECRET = "the partner's secret of the tests, long enough";
const ODETTE = "https://ca.example:8443";
const OSCAR = "http://codes.example";
const dir = mkdtempSync(join(tmpdir(), "marque-framed-"));
const config = join(dir, "portal.json");
let portal: RunningPortal;
let person: HttpVisitor;

beforeAll(async () => {
  const shipped = JSON.parse(readFileSync("config/portal.json", "utf8")) as object;
  const endpoints = { odetteCaEndPoint: `${ODETTE}/app`, oscarEndPoint: `${OSCAR}/` };
  writeFileSync(config, JSON.stringify({ ...shipped, ...endpoints }));
  portal = await startPortal({ PORTAL_CONFIG: config, PARTNER_SECRET: SECRET });
  person = new HttpVisitor(portal.origin);
  await person.logIn(ADMIN);
});
afterAll(async () => {
  await portal.dispose();
  rmSync(dir, { recursive: true });
});

const policyOf = (response: Response) => ({
  status: response.status,
  frame: sourcesOf(response, "frame-src"),
  form: sourcesOf(response, "form-action"),
  fallback: sourcesOf(response, "default-src"),
});

const CLOSED = { frame: ["'none'"], form: ["'self'"], fallback: ["'none'"] };
const OPEN = { frame: [ODETTE, OSCAR], form: ["'self'", ODETTE, OSCAR], fallback: ["'none'"] };

test("[FRM-02] only the pages of framed forms may show the two configured origins and post to them", async () => {
  for (const path of ["odette/forms", "odette/forms%2Fapply?a=1", "other/forms", "other/forms/%7B%22a%22%3A1%7D"])
    expect(policyOf(await person.get(`/home/frame/${path}`))).toEqual({ status: 200, ...OPEN });
  for (const path of ["/home/dashboard", "/home/manage", "/certificate-repository", "/home/nowhere", "/home/frame"])
    expect(policyOf(await person.get(path))).toMatchObject(CLOSED);
  expect(policyOf(await new HttpVisitor(portal.origin).get("/"))).toMatchObject(CLOSED);
});

test("[FRM-02] a target outside the endpoint is refused on a page that says so, however it is encoded", async () => {
  for (const target of [
    "%2F%2Fother.example",
    "https:%2F%2Fother.example",
    "https%3A%2F%2Fother.example",
    "..%2F..%2Fx",
    "%252e%252e%252fx",
    "%5C%5Cother.example",
    "a%2F%2Fb",
    "javascript:alert(1)",
    "forms%00",
  ]) {
    const answer = await person.get(`/home/frame/odette/${target}`);
    expect({ target, status: answer.status }).toEqual({ target, status: 400 });
    const html = await answer.text();
    expect(html).toContain("The address of the form is not valid.");
    expect(html).not.toContain("<iframe");
  }
  const answer = await person.get("/home/frame/odette/forms/%7B");
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("The data for the form is not valid JSON.");
});

test("[FRM-02] no referrer leaves the portal, the page is not cached, and the portal itself cannot be framed", async () => {
  const answer = await person.get("/home/frame/odette/forms/%22private%22?secret=1");
  expect(answer.headers.get("Referrer-Policy")).toBe("same-origin");
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(sourcesOf(answer, "frame-ancestors")).toEqual(["'none'"]);
  const html = await answer.text();
  const token = valueOf(html, "token") ?? "";
  expect(select(html, `form[action="${ODETTE}/app/remote-login"]`)).toHaveLength(1);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(portal.output()).not.toContain(token);
  expect(portal.output()).not.toMatch(/private|secret=1/);
});

test("[FRM-02] the partner redeems the token over HTTP once", async () => {
  const html = await (await person.get("/home/frame/odette/forms")).text();
  const token = valueOf(html, "token") ?? "";
  const ask = (authorization: string) =>
    fetch(`${portal.origin}/partner/verify-token`, {
      method: "POST",
      body: new URLSearchParams({ token }),
      headers: { Authorization: authorization },
    });
  expect((await ask("Bearer wrong")).status).toBe(401);
  const answer = await ask(`Bearer ${SECRET}`);
  expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(await answer.json()).toEqual({
    success: true,
    userId: expect.any(Number) as number,
    username: ADMIN.email,
    rights: "Admin",
    actingUserId: null,
    actingUsername: null,
  });
  expect((await ask(`Bearer ${SECRET}`)).status).toBe(400);
  expect(portal.output()).not.toContain(token);
});

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { HttpVisitor } from "../support/http-visitor";
import { valueOf } from "../support/page";

let portal: RunningPortal;
beforeAll(async () => {
  const template = mkdtempSync(join(tmpdir(), "marque-https-"));
  cpSync(inject("templateDir"), template, { recursive: true });
  for (const name of ["root", "root-g3"]) rmSync(join(template, "ca", `${name}.key.pem`)); // they must be elsewhere
  const https = { PUBLIC_URL: "https://portal.example.org", TRUST_PROXY: "loopback", ROOT_PASSPHRASE: "" };
  portal = await startPortal(https, { template });
  rmSync(template, { recursive: true });
});
afterAll(() => portal.dispose());

test("on HTTPS every cookie is bound to its host, sent only over TLS, hidden from scripts and not sent by other sites' forms", async () => {
  const visitor = new HttpVisitor(portal.origin);
  const page = await visitor.get("/login");
  const csrf = valueOf(await page.text(), "csrf") ?? "";
  const chosen = await visitor.post("/theme", { csrf, theme: "dark", returnTo: "/login" });
  const answers = [page, chosen, await visitor.post("/login", ADMIN)];
  const cookies = answers.flatMap((answer) => answer.headers.getSetCookie());
  const names = cookies.map((cookie) => cookie.slice(0, cookie.indexOf("=")));
  expect(new Set(names)).toEqual(new Set(["__Host-marque", "__Host-theme", "__Host-marque-device"]));
  for (const cookie of cookies) {
    const attributes = cookie.split("; ").slice(1);
    expect(attributes).toEqual(expect.arrayContaining(["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]));
    expect(cookie).not.toMatch(/; Domain=/i);
  }
});

test("what a trusted proxy received without TLS is redirected or refused, except what clients fetch without TLS", async () => {
  const send = (path: string, method = "GET", proto = "http") =>
    fetch(portal.origin + path, { method, redirect: "manual", headers: { "X-Forwarded-Proto": proto } });
  const redirected = await send("/login?redirectTo=%2Fhome");
  expect(redirected.status).toBe(308);
  expect(redirected.headers.get("Location")).toBe("https://portal.example.org/login?redirectTo=%2Fhome");
  expect((await send("/login", "POST")).status).toBe(403);
  for (const method of ["GET", "POST"]) expect((await send("/api/token", method)).status).toBe(403);
  for (const path of ["/repository/root.cer", "/healthz", "/readyz"]) expect((await send(path)).status).toBe(200);
  expect((await send("/login", "GET", "https")).status).toBe(200);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { HttpVisitor } from "../support/http-visitor";
import { valueOf } from "../support/page";

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startPortal({ PUBLIC_URL: "https://portal.example.org", TRUST_PROXY: "off" });
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

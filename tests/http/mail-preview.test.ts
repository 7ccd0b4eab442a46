import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { HttpVisitor } from "../support/http-visitor";

let portal: RunningPortal;
let admin: HttpVisitor;
beforeAll(async () => {
  portal = await startPortal();
  admin = new HttpVisitor(portal.origin);
  await admin.logIn(ADMIN);
});
afterAll(() => portal.dispose());

const PAGE = "/home/mail/templates/order-confirmation";

/** Returns the sources in the Content-Security-Policy of an answer, by directive. */
async function policyOf(path: string): Promise<Record<string, string>> {
  const { headers } = await admin.get(path);
  const directives = (headers.get("content-security-policy") ?? "").split(";");
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = "", ...sources] = directive.trim().split(" ");
      return [name, sources.join(" ")];
    }),
  );
}

describe("the preview of a message", () => {
  test.each(["/html", "/html/", "/HTML", "/html?example=2"])(
    "[MAI-01] isolates the HTML part %s: its own styles, no script, no form, no way out of the frame",
    async (end) => {
      expect(await policyOf(PAGE + end)).toEqual({
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'self'",
        sandbox: "",
      });
    },
  );

  test("[MAI-01] is the only page that may show a frame, and only from the portal", async () => {
    expect(await policyOf(PAGE)).toMatchObject({ "frame-src": "'self'", "frame-ancestors": "'none'" });
    for (const path of ["/home/mail", "/home/mail/templates", "/home/dashboard"])
      expect(await policyOf(path)).toMatchObject({ "frame-src": "'none'", "style-src": "'self'" });
  });

  test("[MAI-01] shows the HTML part in the light and in the dark scheme, whatever the device has", async () => {
    const bodyOf = async (query: string) => (await admin.get(`${PAGE}/html?${query}`)).text();
    expect(await bodyOf("example=2")).toContain("@media (prefers-color-scheme:dark){");
    expect(await bodyOf("scheme=dark")).toContain("@media all{");
    expect(await bodyOf("scheme=light")).toContain("@media not all{");
  });

  test("[MAI-01] is for administrators only", async () => {
    const answer = await fetch(`${portal.origin}${PAGE}/html`, { redirect: "manual" });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/^\/login\?/);
  });
});

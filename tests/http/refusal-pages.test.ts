import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIST_TEXTS } from "~/domain/orders/list/texts";
import { NOT_FOUND_TEXT } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { serverPaths } from "~/lib/server-paths.server";
import { staffPaths } from "~/lib/staff-paths";
import { ADMIN, startPortal, type RunningPortal } from "../e2e/support/running-portal";
import { HttpVisitor } from "../support/http-visitor";
import { pageText, select, textsOf } from "../support/page";

let portal: RunningPortal;
let staff: HttpVisitor;
beforeAll(async () => {
  portal = await startPortal();
  staff = new HttpVisitor(portal.origin);
  await staff.logIn(ADMIN);
});
afterAll(() => portal.dispose());

const { name } = (JSON.parse(readFileSync("config/portal.json", "utf8")) as { branding: { name: string } }).branding;

/** Addresses of files that do not exist, each with the status and texts of the answer. */
const REFUSED: [string, number, string, string][] = [
  [paths.invoice(99_999), 404, "Page not found", NOT_FOUND_TEXT],
  ["/home/invoice/x", 404, "Page not found", NOT_FOUND_TEXT],
  [staffPaths.promotionCodeFile("none"), 404, "Page not found", NOT_FOUND_TEXT],
  [serverPaths.salesOrdersFile("id=999999"), 422, "This did not work", LIST_TEXTS.noneOf([999_999])],
  [serverPaths.salesOrdersFile(""), 422, "This did not work", LIST_TEXTS.chooseSome],
  [serverPaths.salesOrdersFile("all=1&status=Cancelled"), 422, "This did not work", LIST_TEXTS.nothing],
];

describe("[PUB-06] [GEN-02] a file that does not exist", () => {
  test.each(REFUSED)(
    "[PUB-06] [GEN-02] %s in a browser is answered with a page and status %i",
    async (path, status, title, text) => {
      const answer = await staff.get(path);
      const html = await answer.text();
      expect(answer.status).toBe(status);
      expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(textsOf(html, "title")).toEqual([`${title} - ${name}`]);
      expect(select(html, "header ~ footer")).toHaveLength(1);
      expect(pageText(html)).toContain(text);
      expect(textsOf(html, "a")).toContain("Go to the start page");
    },
  );

  test.each(REFUSED)(
    "[GEN-02] %s for a program or the portal's own scripts is answered with JSON and status %i",
    async (...row) => {
      const [path, status, , message] = row;
      const route = path.startsWith("/home/invoice") ? "home.invoice.$id" : null;
      const data = `${path}?${new URLSearchParams({ _data: `routes/${route}` })}`;
      const answers = [
        await staff.get(path, { Accept: "application/json" }),
        await staff.get(path, { Accept: "*/*" }),
        ...(route ? [await staff.get(data)] : []),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(status);
        expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
        expect(await answer.json()).toMatchObject({ message });
      }
    },
  );

  test("[LOG-07] redirects to the login without a session", async () => {
    const answer = await new HttpVisitor(portal.origin).get(paths.invoice(99_999));
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, paths.login(paths.invoice(99_999))]);
  });
});

describe("[PUR-01] the wizards of certificates share their routes", () => {
  const FIRST_STEP = paths.certificatePurchase("contact-details");

  test.each(["/home/certificate/order", "/home/certificate/order/contact-details", "/home/certificate/reissue/order"])(
    "[PUR-01] [PUB-06] %s is answered as an unknown address",
    async (path) => {
      const [answer, unknown] = [await staff.get(path), await staff.get("/home/unknown")];
      // The page's head for printing has the time of the request.
      const page = async (response: Response) => pageText(await response.text()).replace(/As of \S+ \S+ UTC/, "");
      expect([answer.status, await page(answer)]).toEqual([404, await page(unknown)]);
    },
  );

  test.each([FIRST_STEP, FIRST_STEP.replace("purchase", "Purchase"), rarePaths.promotionLookUp("ABCDEF")])(
    "[PUR-01] [DSH-03] %s redirects to the dashboard without the right",
    async (path) => {
      const answer = await staff.get(path);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.dashboard]);
    },
  );

  test("[REV-01] the pages of a single certificate take precedence", async () => {
    const answer = await staff.get("/home/certificate/revoke/order");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, paths.certificates]);
  });
});

import { resolve } from "node:path";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import { beforeAll, describe, expect, test } from "vitest";
import { safeRedirect } from "~/http/redirects";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import * as loginPage from "~/routes/_public.login";
import * as filePage from "~/routes/home.file";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { textsOf } from "../support/page";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();

const manifest = flatRoutes(resolve("app"));

/** Returns the address of a route with the paths of its parents, such as `/home/users/1`. */
function addressOf(id: string): string {
  const { path = "", parentId } = manifest[id] ?? {};
  const above = parentId === undefined ? "" : addressOf(parentId);
  return path === "" ? above : `${above}/${path.replace(/:\w+\??/g, "1")}`;
}

/** The addresses under /home, each with whether it has a page. */
const addresses: { address: string; hasPage: boolean }[] = await Promise.all(
  Object.values(manifest)
    .map(({ id, file }) => ({ address: addressOf(id), file }))
    .filter(({ address }) => address.startsWith("/home/"))
    .map(async ({ address, file }) => {
      const module = (await import(resolve("app", file))) as object;
      return { address, hasPage: "default" in module };
    }),
);

describe("[LOG-07] [MAI-01] a file requested before the login", () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await signedInAs(await createUser());
  });
  const open = (path: string) => openPage(filePage, visitor, path);

  test.each(addresses.filter(({ hasPage }) => !hasPage))(
    "[LOG-07] $address has no page: the login opens a related one",
    async ({ address }) => {
      const asked = `${address}?size=25`;
      const page = safeRedirect(asked);
      const { pathname } = new URL(page, "http://portal.invalid");
      expect(addresses.filter(({ hasPage }) => hasPage).map((known) => known.address)).toContain(pathname);
      if (pathname !== "/home/file") return;
      expect(safeRedirect(page)).toBe(page);
      const { status, html } = await open(page);
      expect(status).toBe(200);
      expect(textsOf(html, `a[href="${asked}"]`)).toEqual([expect.stringMatching(/^Download the /)]);
    },
  );

  test("[LOG-07] is opened after the login when it is a page", () => {
    const pages = addresses.filter(({ hasPage }) => hasPage).map(({ address }) => `${address}?size=25`);
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.map(safeRedirect)).toEqual(pages);
  });

  test("[SAL-05] [MAI-01] by the link in an invoice's message opens a page with the file, also after an old password", async () => {
    const redirectTo = paths.invoice(12);
    const target = rarePaths.privateFile(redirectTo);
    for (const [mustChangePassword, landing] of [
      [false, target],
      [true, paths.passwordExpiry(target)],
    ] as const) {
      const { email } = await createUser({ mustChangePassword });
      const fields = { email, password: TEST_PASSWORD, redirectTo };
      const answer = await run(loginPage.action, await (await anonymous()).post(paths.login(), fields));
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, landing]);
    }
  });

  test("[LOG-07] of no other kind gets a page: other addresses are not found", async () => {
    const others = ["", "/home/dashboard", "https://evil.example/home/invoice/1", "//evil.example", "javascript:1"];
    for (const path of ["/home/file", ...others.map(rarePaths.privateFile)])
      expect((await run(filePage.loader, visitor.get(path))).status).toBe(404);
  });
});

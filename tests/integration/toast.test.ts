import { type ActionFunctionArgs, type ServerBuild } from "@remix-run/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Shell } from "~/domain/shell";
import { redirectWithToast } from "~/http/flash.server";
import { withPortalErrors } from "~/http/portal-errors.server";
import { loadShell } from "~/http/shell.server";
import { paths } from "~/lib/paths";
import * as salesOrderPage from "~/routes/home.sale-orders_.details/page.server";
import * as sessionsPage from "~/routes/home.sessions";
import { createAdmin, createUser, TEST_PASSWORD } from "../support/factories";
import { usePortal } from "../support/portal";
import { jsonOf, newContext, run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
afterEach(() => vi.useRealTimers());

/** Loads what every page shows around its content, and takes over the cookies. Returns the message. */
async function toldAt(visitor: Visitor, path: string): Promise<string | undefined> {
  const answer = await loadShell(visitor.get(path));
  visitor.follow(answer);
  return (await jsonOf<Shell>(answer)).toast?.text;
}

/** Ends the other sessions of a new user by the form. */
async function sendForm(): Promise<Visitor> {
  const user = await createUser();
  await signedInAs(user);
  const visitor = await signedInAs(user);
  const fields = { end: "others", currentPassword: TEST_PASSWORD };
  const answer = await run(sessionsPage.action, await visitor.post(paths.sessions, fields));
  expect(answer.headers.get("Location")).toBe(paths.sessions);
  visitor.follow(answer);
  return visitor;
}

describe("[DSH-04] the message after a form", () => {
  test("is shown once by the page that the form leads to, and not by a page that another tab loads meanwhile", async () => {
    const visitor = await sendForm();
    expect(await toldAt(visitor, paths.dashboard)).toBeUndefined();
    expect(await toldAt(visitor, `${paths.sessions}?page=2`)).toBeUndefined();
    expect(await toldAt(visitor, paths.sessions)).toMatch(/ended/);
    expect(await toldAt(visitor, paths.sessions)).toBeUndefined();
  });

  test("is shown where scripts load the page's data, whose address has parameters of Remix", async () => {
    const visitor = await sendForm();
    expect(await toldAt(visitor, `${paths.dashboard}?_data=root`)).toBeUndefined();
    expect(await toldAt(visitor, `${paths.sessions}?_data=root`)).toMatch(/ended/);
  });

  test("is shown at an address with a query string and an anchor, however the browser encodes it", async () => {
    const visitor = await signedInAs(await createUser());
    const toast = { kind: "ok", text: "Saved.", at: "card" } as const;
    const answer = await redirectWithToast(visitor.get("/"), "/home/codes?search=Käse b", toast);
    visitor.follow(answer);
    expect(await toldAt(visitor, "/home/codes?search=K%C3%A4se%20b")).toBe("Saved.");
  });

  test("is not shown any more when its page was not opened within a minute", async () => {
    const visitor = await sendForm();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect(await toldAt(visitor, paths.sessions)).toBeUndefined();
  });

  test("follows when its page leads on to another one", async () => {
    const visitor = await signedInAs(await createAdmin());
    const missing = "/home/sale-orders/details?order=999999";
    visitor.follow(await redirectWithToast(visitor.get("/"), missing, { kind: "ok", text: "Saved." }));
    const route = { id: "page", path: "", module: salesOrderPage };
    const built = withPortalErrors({ routes: { page: route } } as unknown as ServerBuild);
    const loader = built.routes.page?.module.loader as (args: ActionFunctionArgs) => Promise<unknown>;
    const thrown = await loader({ request: visitor.get(missing), params: {}, context: newContext() }).catch(
      (error: unknown) => error,
    );
    const next = (thrown as Response).headers.get("Location") ?? "";
    expect(next).toBe("/home/sale-orders");
    visitor.follow(thrown as Response);
    expect(await toldAt(visitor, missing)).toBeUndefined();
    expect(await toldAt(visitor, next)).toBe("Saved.");
  });
});

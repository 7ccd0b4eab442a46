import { beforeAll, describe, expect, test } from "vitest";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { acting } from "../support/acting";
import { createAdmin, createUser } from "../support/factories";
import { filled, pageRoutes, type RouteModule } from "../support/page-routes";
import { usePortal } from "../support/portal";
import { toastOf, toldAfter } from "../support/recovery";
import { anonymous, run, signedInAs, Visitor } from "../support/visitor";

usePortal();

/**
 * The right that each route under /home needs. "any" means every logged-in user. "a code" means owners of codes and administrators. The
 * tests fail for a route that is missing here.
 */
const NEEDS: Record<string, "Admin" | "Applicant" | "a code" | "any"> = {
  home: "any",
  "home._index": "any",
  "home.audit-trail": "Admin",
  "home.audit-trail_.file": "Admin",
  "home.certificate-csr.$id": "any",
  "home.certificate-details.$id": "any",
  "home.certificate-download.$id": "any",
  "home.certificate-file.$id": "any",
  "home.certificate-queue.$id": "Admin",
  "home.certificate-queue._index": "Admin",
  "home.certificate-repository": "any",
  "home.certificate.$wizard": "Applicant",
  "home.certificate.$wizard._index": "Applicant",
  "home.certificate.$wizard.contact-details": "Applicant",
  "home.certificate.$wizard.invoice-address": "Applicant",
  "home.certificate.$wizard.order": "Applicant",
  "home.certificate.$wizard.order-complete": "Applicant",
  "home.certificate.purchase_.promotion": "Applicant",
  "home.certificate.reissue.$id": "Admin",
  "home.certificate.revoke.$id": "any",
  "home.certificates": "any",
  "home.certificates_.certificate-repository": "any",
  "home.code.purchase": "Applicant",
  "home.code.purchase._index": "Applicant",
  "home.code.purchase.contact-details": "Applicant",
  "home.code.purchase.invoice-address": "Applicant",
  "home.code.purchase.order": "Applicant",
  "home.code.purchase.order-complete": "Applicant",
  "home.codes": "any",
  "home.codes_.code-details": "any",
  "home.codes_.code-details_.audit-log": "Admin",
  "home.codes_.code-details_.contact-details": "any",
  "home.dashboard": "any",
  "home.file": "any",
  "home.frame.$targetSite.$targetUrl.($json)": "any",
  "home.frame-problem.$targetSite.$targetUrl": "any",
  "home.invoice.$id": "any",
  "home.jobs": "Admin",
  "home.mail._index": "Admin",
  "home.mail.templates.$kind": "Admin",
  "home.mail.templates.$kind_.html": "Admin",
  "home.mail.templates._index": "Admin",
  "home.manage": "Admin",
  "home.overview": "Admin",
  "home.promotion-codes._index": "Admin",
  "home.promotion-codes.bulk": "Admin",
  "home.promotion-codes.file.$batch": "Admin",
  "home.promotion-codes.new": "Admin",
  "home.security-events": "Admin",
  "home.security-events_.file": "Admin",
  "home.sale-orders": "Admin",
  "home.sale-orders_.details": "Admin",
  "home.sale-orders_.export[.]csv": "Admin",
  "home.sale-orders_.details_.invoice": "Admin",
  "home.search-codes": "a code",
  "home.sessions": "any",
  "home.user-management": "any",
  "home.users.$id": "Admin",
  "home.users._index": "Admin",
};

const WHOSE = {
  Admin: "staff",
  Applicant: "accounts with the right Applicant",
  "a code": "staff and owners of codes",
} as const;

interface Route extends RouteModule {
  name: string;
  path: string;
  params: Record<string, string>;
}

/** Every route under /home, with a value for each parameter. */
const routes: Route[] = (await pageRoutes())
  .filter(({ pattern }) => /^home(\/|$)/.test(pattern))
  .map(({ pattern, ...route }) => {
    const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const params = Object.fromEntries(names.map((name) => [name, name === "wizard" ? "purchase" : "1"]));
    return { ...route, path: filled(pattern, params), params };
  });

interface Answer {
  to: string | null;
  cookie: string | null;
}

/** Returns where the loader and the action of the route redirect this visitor. */
async function answersOf({ loader, action, path, params }: Route, visitor: Visitor) {
  const read = async (response: Promise<Response>): Promise<Answer> => {
    const { headers } = await response;
    return { to: headers.get("Location"), cookie: headers.get("Set-Cookie") };
  };
  return {
    ...(loader && { loader: await read(run(loader, visitor.get(path), params)) }),
    ...(action && { action: await read(run(action, await visitor.post(path), params)) }),
  };
}

/** Expects each handler of the route to redirect this visitor as `expected` says. Returns the answers. */
async function expectAll(route: Route, visitor: Visitor, expected: { loader: string; action: string }) {
  const answers = await answersOf(route, visitor);
  for (const [handler, { to }] of Object.entries(answers))
    expect({ handler, to }).toEqual({ handler, to: expected[handler as keyof typeof expected] });
  return answers;
}

const everywhere = (to: string) => ({ loader: to, action: to });

/** Expects redirects to `page` with the path of the route in `redirectTo`, which is omitted for the dashboard. */
const onTheWay = (page: string, { path }: Route) =>
  everywhere(path === "/home/dashboard" ? page : `${page}?${new URLSearchParams({ redirectTo: path }).toString()}`);

const toLogin = (route: Route) => onTheWay("/login", route);

test("[DSH-03] every route under /home names the right that it needs", () => {
  expect(routes.map(({ name }) => name).toSorted()).toEqual(Object.keys(NEEDS).toSorted());
  expect(routes.filter(({ loader, action }) => !loader && !action).map(({ name }) => name)).toEqual([]);
});

test("[DSH-03] a route without a guard fails the test", async () => {
  const open: Route = { name: "home.new", path: "/home/new", params: {}, loader: () => null, action: () => null };
  for (const route of [open, { ...open, loader: undefined }, { ...open, action: undefined }] as Route[])
    await expect(expectAll(route, await anonymous(), toLogin(route))).rejects.toThrow();
});

describe.each(routes.map((route) => [route.name, route] as const))("%s", (name, route) => {
  test("[DSH-03] [LOG-07] redirects anonymous visitors to the login, which leads back", async () => {
    await expectAll(route, await anonymous(), toLogin(route));
  });

  test("[LOG-08] redirects an invalid session to the root route, logged out, which leads back", async () => {
    const user = await createUser({ isAdmin: true });
    const visitor = await signedInAs(user);
    await updateUser(getDb(), user.id, { sessionEpoch: 1 });
    const answers = await expectAll(route, visitor, onTheWay("/", route));
    const told = Object.values(answers).map(({ cookie }) =>
      toldAfter(new Response(null, { headers: { "Set-Cookie": cookie ?? "" } })),
    );
    for (const text of await Promise.all(told)) expect(text).toMatch(/^You have been logged out\./);
  });

  const right = NEEDS[name];
  if (right !== undefined && right !== "any")
    test(`[DSH-03] redirects to the dashboard without the right ${right} and says whose page it is`, async () => {
      const others = right === "Applicant" ? [admin, nobody] : [applicant, nobody, actingAdmin];
      for (const visitor of others) {
        const answers = await expectAll(route, visitor, everywhere("/home/dashboard"));
        for (const { cookie } of Object.values(answers)) {
          const next = new Visitor("");
          next.follow(new Response(null, { headers: { "Set-Cookie": cookie ?? "" } }));
          expect(await toastOf(next)).toBe(`This page is for ${WHOSE[right]}.`);
        }
      }
    });

  test("[LOG-07] puts duties first: several accounts, an expired password, missing details", async () => {
    const rights = { isAdmin: true };
    const twin = await createUser(rights);
    await createUser({ email: twin.email, username: `${twin.email}.2` });
    const expired = await createUser({ ...rights, mustChangePassword: true });
    const incomplete = await createUser({ ...rights, detailsMissing: true });
    await expectAll(route, await signedInAs(twin), onTheWay("/consolidate-users", route));
    await expectAll(route, await signedInAs(incomplete), onTheWay("/complete-registration", route));
    await expectAll(route, await signedInAs(expired), onTheWay("/password-expiry", route));
  });
});

let applicant: Visitor;
let nobody: Visitor;
let admin: Visitor;
/** An administrator who acts as a user without rights of staff. */
let actingAdmin: Visitor;

beforeAll(async () => {
  const olga = await createAdmin();
  [applicant, nobody, admin] = await Promise.all([
    signedInAs(await createUser()),
    signedInAs(await createUser({ isApplicant: false })),
    signedInAs(olga),
  ]);
  actingAdmin = (await acting(olga, await createUser())).visitor;
});

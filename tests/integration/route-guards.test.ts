import { beforeAll, describe, expect, test } from "vitest";
import { may, type Requirement, rightsFor, STAFF_RIGHTS, type Task, TASKS } from "~/domain/accounts/rights.policy";
import { isCompanyTask } from "~/domain/companies/roles.policy";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";
import { acting } from "../support/acting";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { filled, pageRoutes, type RouteModule } from "../support/page-routes";
import { usePortal } from "../support/portal";
import { toastOf, toldAfter } from "../support/recovery";
import { anonymous, run, signedInAs, Visitor } from "../support/visitor";

usePortal();

/**
 * What each route under /home needs: a task of members, which needs the right Applicant, too, or a task of staff. "any" means every logged-in user. "a code" means
 * owners of codes and staff. The tests fail for a route that is missing here.
 */
const NEEDS: Record<string, Requirement | "a code" | "any"> = {
  home: "any",
  "home._index": "any",
  "home.audit-trail": "see-audit-trail",
  "home.audit-trail_.file": "see-audit-trail",
  "home.certificate-csr.$id": "any",
  "home.certificate-details.$id": "any",
  "home.certificate-download.$id": "any",
  "home.certificate-file.$id": "any",
  "home.certificate-queue.$id": "see-queue",
  "home.certificate-queue._index": "see-queue",
  "home.certificate-repository": "any",
  "home.certificate.$wizard": "place-orders",
  "home.certificate.$wizard._index": "place-orders",
  "home.certificate.$wizard.contact-details": "place-orders",
  "home.certificate.$wizard.invoice-address": "place-orders",
  "home.certificate.$wizard.order": "place-orders",
  "home.certificate.$wizard.order-complete": "place-orders",
  "home.certificate.purchase_.promotion": "place-orders",
  "home.certificate.reissue.$id": "reissue-certificates",
  "home.certificate.revoke.$id": "any",
  "home.certificates": "any",
  "home.certificates_.certificate-repository": "any",
  "home.code.purchase": "place-orders",
  "home.code.purchase._index": "place-orders",
  "home.code.purchase.contact-details": "place-orders",
  "home.code.purchase.invoice-address": "place-orders",
  "home.code.purchase.order": "place-orders",
  "home.code.purchase.order-complete": "place-orders",
  "home.codes": "any",
  "home.codes_.code-details": "any",
  "home.codes_.code-details_.audit-log": "see-customers",
  "home.codes_.code-details_.contact-details": "any",
  "home.company": "any",
  "home.company_.api-clients.$id": "any", // every person owns a company: api-clients-pages.test.tsx tries other roles
  "home.company_.api-clients._index": "any", // every person owns a company: api-clients-pages.test.tsx tries other roles
  "home.company_.api-clients.new": "any", // every person owns a company: api-clients-pages.test.tsx tries other roles
  "home.company_.$id": "any",
  "home.dashboard": "any",
  "home.file": "any",
  "home.frame.$targetSite.$targetUrl.($json)": "any",
  "home.frame-problem.$targetSite.$targetUrl": "any",
  "home.invoice.$id": "any",
  "home.jobs": "see-jobs",
  "home.mail._index": "see-mail",
  "home.mail.templates.$kind": "see-mail",
  "home.mail.templates.$kind_.html": "see-mail",
  "home.mail.templates._index": "see-mail",
  "home.manage": "see-settings",
  "home.overview": "see-overview",
  "home.promotion-codes._index": "see-promotion-codes",
  "home.promotion-codes.bulk": "change-promotion-codes",
  "home.promotion-codes.file.$batch": "see-promotion-codes",
  "home.promotion-codes.new": "change-promotion-codes",
  "home.security-events": "see-security-events",
  "home.security-events_.file": "see-security-events",
  "home.sale-orders": "see-sales-orders",
  "home.sale-orders_.details": "see-sales-orders",
  "home.sale-orders_.export[.]csv": "see-sales-orders",
  "home.sale-orders_.details_.invoice": "change-sales-orders",
  "home.search-codes": "a code",
  "home.sessions": "any",
  "home.user-management": "any",
  "home.users.$id": "see-users",
  "home.users.api-clients.$id": "see-users",
  "home.users.api-clients._index": "see-users",
  "home.users.api-clients.new": "change-users",
  "home.users._index": "see-users",
};

/** The tasks of the actions that need more than their pages. */
const ACTS: Record<string, Task> = {
  "home.jobs": "run-jobs",
  "home.mail._index": "change-mail",
  "home.manage": "change-settings",
  "home.promotion-codes._index": "change-promotion-codes",
  "home.users.$id": "change-users",
  "home.users.api-clients.$id": "change-users",
};

/** Returns for whom a page is, in the words of the message to customers. */
function whose(needed: Requirement | "a code"): string {
  if (isCompanyTask(needed)) return "accounts with the right Applicant";
  return needed === "a code" ? "staff and owners of codes" : "staff";
}

const isTask = (needed: string | undefined): needed is Task => needed !== undefined && needed in TASKS;

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
      const others = isCompanyTask(right) ? [admin, nobody] : [applicant, nobody, actingAdmin];
      for (const visitor of others) {
        const answers = await expectAll(route, visitor, everywhere("/home/dashboard"));
        for (const { cookie } of Object.values(answers)) {
          const next = new Visitor("");
          next.follow(new Response(null, { headers: { "Set-Cookie": cookie ?? "" } }));
          expect(await toastOf(next)).toBe(`This page is for ${whose(right)}.`);
        }
      }
    });

  if (isTask(right))
    test("lets in only staff whose right allows the task, and tells the others which right does", async () => {
      for (const [held, visitor] of staff) {
        for (const handler of ["loader", "action"] as const) {
          const task = handler === "action" ? (ACTS[name] ?? right) : right;
          if (!route[handler] || may({ rights: [held] }, task)) continue;
          const answers = await answersOf(
            { ...route, loader: undefined, action: undefined, [handler]: route[handler] },
            visitor,
          );
          const next = new Visitor("");
          next.follow(new Response(null, { headers: { "Set-Cookie": answers[handler]?.cookie ?? "" } }));
          expect({ held, handler, to: answers[handler]?.to }).toEqual({ held, handler, to: "/home/dashboard" });
          expect(await toastOf(next)).toBe(`This page is for staff with the right ${rightsFor(task)}.`);
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
/** A member of staff for each right. */
let staff: (readonly [StaffRight, Visitor])[];
/** An administrator who acts as a user without rights of staff. */
let actingAdmin: Visitor;

beforeAll(async () => {
  const olga = await createAdmin();
  [applicant, nobody, admin] = await Promise.all([
    signedInAs(await createUser()),
    signedInAs(await createUser({ isApplicant: false })),
    signedInAs(olga),
  ]);
  staff = await Promise.all(
    STAFF_RIGHTS.map(async (held) => [held, await signedInAs(await createStaff([held]))] as const),
  );
  actingAdmin = (await acting(olga, await createUser())).visitor;
});

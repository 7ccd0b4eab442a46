import { beforeAll, describe, expect, test } from "vitest";
import { may, type Requirement, rightsFor, STAFF_RIGHTS, type Task, TASKS } from "~/domain/accounts/rights.policy";
import { COMPANY_TASKS, isCompanyTask } from "~/domain/companies/roles.policy";
import { getDb } from "~db/connection.server";
import { updateUser } from "~db/repositories/users.server";
import { type StaffRight } from "~db/tables";
import { acting } from "../support/acting";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { type Need, needOf } from "../support/needs";
import { filled, pageRoutes, type RouteModule } from "../support/page-routes";
import { usePortal } from "../support/portal";
import { toastOf, toldAfter } from "../support/recovery";
import { anonymous, run, signedInAs, Visitor } from "../support/visitor";

usePortal();

/** Returns for whom a page is, in the words of the message to customers. */
function whose(needed: Requirement | "a code"): string {
  if (isCompanyTask(needed)) return "accounts with the right Applicant";
  return needed === "a code" ? "staff and owners of codes" : "staff";
}

const isTask = (needed: Need | undefined): needed is Task => typeof needed === "string" && needed in TASKS;

/** Returns whether the guard itself refuses a login that lacks what is needed. Every test account owns a company. */
const isGuarded = (needed: Need | undefined): needed is Requirement | "a code" =>
  needed === "a code" ||
  isTask(needed) ||
  (typeof needed === "string" && isCompanyTask(needed) && "asApplicant" in COMPANY_TASKS[needed]);

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

/** The pages about one's own data, and what is around every page. They open while details are missing. */
const OWN_DATA = ["home", "home.personal-data", "home.personal-data_.erasure", "home.personal-data_.file"];

const toLogin = (route: Route) => onTheWay("/login", route);

test("[DSH-03] every route under /home names the right that it needs", () => {
  expect(routes.filter(({ name }) => needOf(name, "loader") === undefined).map(({ name }) => name)).toEqual([]);
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

  const right = needOf(name, "loader");
  if (isGuarded(right))
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
          const task = needOf(name, handler);
          if (!route[handler] || !isTask(task) || may({ rights: [held] }, task)) continue;
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
    if (!OWN_DATA.includes(name))
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

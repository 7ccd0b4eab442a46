import { createRequire } from "node:module";
import { resolve } from "node:path";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import { type ServerBuild } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import * as router from "@remix-run/router";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";

const load = createRequire(import.meta.url);
/** The bundle for script tags is not patched. It does what the router did before. */
const unpatched = load("@remix-run/router/dist/router.umd.js") as typeof router;
const { createEntryRouteModules } = load("@remix-run/server-runtime/dist/entry.js") as {
  createEntryRouteModules: (routes: ServerBuild["routes"]) => object;
};

type Table = router.AgnosticRouteObject[];

const files = Object.values(flatRoutes(resolve("app")));

const childrenOf = (parentId: string): Table =>
  files
    .filter((file) => (file.parentId ?? "root") === parentId && file.id !== parentId)
    .map(({ id, path, index }) =>
      index ? { id, index, ...(path && { path }) } : { id, ...(path && { path }), children: childrenOf(id) },
    );

const portal: Table = [{ id: "root", path: "", children: childrenOf("root") }];

/** Returns addresses that match each route, and ones that nearly do. */
function addressesOf(routes: Table, parent = ""): string[] {
  return routes.flatMap(({ path = "", children = [] }) => {
    const whole = `${parent}/${path}`.replace(/\/+/g, "/");
    const filled = whole.replace(/:\w+\??/g, "a%20%C3%B6").replace(/\*/g, "deep/er");
    const ways = [filled, `${filled}/`, filled.toUpperCase(), `${filled}x`, `${filled}/more`, `/${filled}`];
    return [...ways, whole.replace(/\/:\w+\?/g, ""), ...addressesOf(children, whole)];
  });
}

describe("the patch of the router (docs/decisions/0064)", () => {
  const addresses = [...new Set(addressesOf(portal))];

  test("matches every address to the same routes and parameters as the router without it", () => {
    expect(addresses.length).toBeGreaterThan(500);
    const seen = addresses.map((address) => {
      const matches = router.matchRoutes(portal, address);
      expect({ address, matches }).toEqual({ address, matches: unpatched.matchRoutes(portal, address) });
      return matches?.at(-1)?.route.id;
    });
    expect(new Set(seen).size).toBeGreaterThan(90);
  });

  test("reads a route table once, not for every request", () => {
    let reads = 0;
    const route = {
      id: "counted",
      get path() {
        reads += 1;
        return "counted/:id";
      },
    };
    const table: Table = [route];
    expect(router.matchRoutes(table, "/counted/1")?.[0]?.params).toEqual({ id: "1" });
    const once = reads;
    expect(router.matchRoutes(table, "/counted/2")?.[0]?.params).toEqual({ id: "2" });
    expect({ once, reads }).toEqual({ once: expect.any(Number) as number, reads: once });
    expect(once).toBeGreaterThan(0);
  });

  test("gives the same modules for the same routes", () => {
    const routes = { page: { id: "page", module: { default: () => null } } } as unknown as ServerBuild["routes"];
    expect(createEntryRouteModules(routes)).toBe(createEntryRouteModules(routes));
  });

  test("makes the routes of a page once, and shows each request its own data", () => {
    let reads = 0;
    const module = {
      get default() {
        reads += 1;
        return Page;
      },
    };
    function Page() {
      return createElement("p", null, "page");
    }
    const manifest = { routes: { root: { id: "root", path: "", hasLoader: false } }, entry: {}, version: "" };
    const routeModules = { root: module };
    const show = (pathname: string) => {
      const staticHandlerContext = {
        basename: "/",
        location: { pathname, search: "", hash: "", state: null, key: "default" },
        matches: [{ params: {}, pathname: "/", pathnameBase: "/", route: { id: "root", path: "" } }],
        loaderData: {},
        actionData: null,
        errors: null,
      };
      const context = { manifest, routeModules, future: {}, isSpaMode: false, staticHandlerContext };
      return renderToString(
        createElement(RemixServer, { context: context as never, url: `http://localhost${pathname}` }),
      );
    };
    expect(show("/")).toContain("<p>page</p>");
    const once = reads;
    expect(show("/")).toContain("<p>page</p>");
    expect(reads).toBe(once);
  });
});

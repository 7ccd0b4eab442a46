import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { createElement, Fragment, type ReactNode } from "react";
import { withPortalErrors } from "~/http/portal-errors.server";
import { paths } from "~/lib/paths";
import { processorTime, round, say, withPortal } from "./portal";
import { treeOf } from "./static-page";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
const REQUESTS = 25;
const CONTEXT = { cspNonce: "bench", requestId: "bench", isNavigation: false };

type Routes = ServerBuild["routes"];

const LEAF = "routes/_public.login";

/**
 * Returns a Remix build of one page that is already rendered: without loader, form, session and database. `others` are further routes that
 * are never shown; Remix matches the address of each page against all routes.
 */
function bareBuild(portal: ServerBuild, page: ReactNode, others: Routes = {}): ServerBuild {
  const root = { id: "root", path: "", module: { default: Outlet } };
  const module = { default: () => createElement(Fragment, null, page) };
  const leaf = { id: LEAF, parentId: "root", path: paths.login().slice(1), module };
  const routes: Routes = { ...others, root, [LEAF]: leaf };
  const none = { hasAction: false, hasLoader: false, hasClientAction: false, hasClientLoader: false };
  const entryOf = ({ module: _, ...route }: Routes[string]) => ({
    ...{ ...route, ...none, hasErrorBoundary: false, module: "/page.js" },
  });
  const entries = Object.values(routes).map((route) => [route.id, entryOf(route)] as const);
  return { ...portal, assets: { ...portal.assets, routes: Object.fromEntries(entries) }, routes };
}

await withPortal("sqlite", async () => {
  const { build: portal } = (await import(pathToFileURL(resolve("build/index.js")).href)) as { build: ServerBuild };
  const pageOf = (build: ServerBuild) => {
    const answer = createRequestHandler(build, "production");
    return async () => {
      const response = await answer(new Request(`http://localhost${paths.login()}`), CONTEXT);
      if (response.status !== 200) throw new Error(`The page was answered with ${response.status}.`);
      return response.text();
    };
  };
  const own = pageOf(withPortalErrors(portal));
  const html = await own();
  const tree = treeOf(html);
  const pages = { own, bare: pageOf(bareBuild(portal, tree)), among: pageOf(bareBuild(portal, tree, portal.routes)) };
  const many = (page: () => Promise<string>) => async () => {
    for (let request = 0; request < REQUESTS; request += 1) await page();
  };
  const times = { own: 0, bare: 0, among: 0 };
  for (let round = -ROUNDS / 4; round < ROUNDS; round += 1)
    for (const name of ["own", "bare", "among"] as const) {
      const time = await processorTime(many(pages[name]));
      if (round >= 0) times[name] += time; // earlier rounds are a warm-up
    }
  const each = (total: number) => `${round(total / ROUNDS / REQUESTS, 2)} ms`;
  say(`sign-in page (${html.length} characters): ${each(times.own)} of processor time`);
  const sayBeside = (what: string, time: number, length: number) =>
    say(`${what} (${length} characters): ${each(time)}; ratio ${round(times.own / time, 2)}`);
  sayBeside("a bare Remix page of the same elements", times.bare, (await pages.bare()).length);
  const routes = Object.keys(portal.routes).length;
  sayBeside(`the same among ${routes} routes`, times.among, (await pages.among()).length);
});

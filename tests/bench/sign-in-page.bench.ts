import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { createElement, Fragment, type ReactNode } from "react";
import { withPortalErrors } from "~/http/portal-errors.server";
import { paths } from "~/lib/paths";
import { processorTime, round, say, withPortal } from "./portal";
import { treeOf } from "./static-page";

const ROUNDS = 40;
const REQUESTS = 25;
const CONTEXT = { cspNonce: "bench", requestId: "bench", isNavigation: false };

/** Remix with nothing but one page that is there already: no loader, no form, no session, no database. */
function bareBuild(portal: ServerBuild, page: ReactNode): ServerBuild {
  const none = { hasAction: false, hasLoader: false, hasClientAction: false, hasClientLoader: false };
  const root = { id: "root", path: "" };
  const leaf = { id: "page", parentId: "root", path: paths.login().slice(1) };
  const file = { ...none, hasErrorBoundary: false, module: "/page.js" };
  return {
    ...portal,
    assets: { ...portal.assets, routes: { root: { ...root, ...file }, page: { ...leaf, ...file } } },
    routes: {
      root: { ...root, module: { default: Outlet } },
      page: { ...leaf, module: { default: () => createElement(Fragment, null, page) } },
    },
  };
}

await withPortal("sqlite", async () => {
  const portal = (await import(new URL("../../build/index.js", import.meta.url).href)) as ServerBuild;
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
  const bare = pageOf(bareBuild(portal, treeOf(html)));
  const many = (page: () => Promise<string>) => async () => {
    for (let request = 0; request < REQUESTS; request += 1) await page();
  };
  const times = { own: 0, bare: 0 };
  for (let round = -ROUNDS / 4; round < ROUNDS; round += 1) {
    const [first, second] = [await processorTime(many(own)), await processorTime(many(bare))];
    if (round < 0) continue; // warm
    times.own += first;
    times.bare += second;
  }
  const each = (total: number) => `${round(total / ROUNDS / REQUESTS, 2)} ms`;
  say(
    `sign-in page (${html.length} characters): ${each(times.own)} of processor time; a bare Remix page of the same elements (${(await bare()).length} characters): ${each(times.bare)}; ratio ${round(times.own / times.bare, 2)}`,
  );
});

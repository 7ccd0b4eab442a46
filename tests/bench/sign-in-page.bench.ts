import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { withPortalErrors } from "~/http/portal-errors.server";
import { paths } from "~/lib/paths";
import { processorTime, round, say, withPortal } from "./portal";
import { bareBuild, treeOf } from "./static-page";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
const REQUESTS = 25;
const CONTEXT = { cspNonce: "bench", requestId: "bench", isNavigation: false };

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

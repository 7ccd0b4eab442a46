import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { withPortalErrors } from "~/http/portal-errors.server";
import { paths } from "~/lib/paths";
import { processorTime, withPortal } from "./portal";
import { report } from "./report";
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
  const ownPage = pageOf(withPortalErrors(portal));
  const html = await ownPage();
  const tree = treeOf(html);
  const pages = {
    own: ownPage,
    bare: pageOf(bareBuild(portal, tree)),
    among: pageOf(bareBuild(portal, tree, portal.routes)),
  };
  const many = (page: () => Promise<string>) => async () => {
    for (let request = 0; request < REQUESTS; request += 1) await page();
  };
  const times = { own: 0, bare: 0, among: 0 };
  for (let round = -ROUNDS / 4; round < ROUNDS; round += 1)
    for (const name of ["own", "bare", "among"] as const) {
      const time = await processorTime(many(pages[name]));
      if (round >= 0) times[name] += time; // earlier rounds are a warm-up
    }
  const each = (total: number) => total / ROUNDS / REQUESTS;
  const own = each(times.own);
  const compare = (name: string, time: number) =>
    report({
      name: "Sign-in page without HTTP, processor time",
      measured: own,
      unit: "ms",
      comparedWith: { name, value: each(time) },
      note: `${html.length} characters`,
    });
  compare("a bare Remix page of the same elements", times.bare);
  compare(`the same among ${Object.keys(portal.routes).length} routes`, times.among);
});

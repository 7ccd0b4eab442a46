import { type ServerBuild } from "@remix-run/node";
import { noteErrorCode } from "~/lib/error-code";
import { isOutage, isPortalError } from "~/lib/errors";
import { type ErrorPlace } from "~/lib/log.server";
import { failureCode } from "./failure-codes";
import { refuseHugeBody } from "./forms.server";
import { demandOwnForm, isOwnForm } from "./origin.server";
import { answerOutage } from "./outage.server";
import { pagelessRoutes, refusalPages } from "./refusal-pages.server";
import { noteRoute } from "./request-metrics.server";
import { asRefusal, errorResponse, shownAgain } from "./responses.server";
import { isStaleForm } from "./stale-form.server";

/**
 * Runs a loader or action; a PortalError that it throws becomes the response that the error boundary shows, and so does a database that
 * cannot be used. `place` is the request, for the log.
 */
export async function answering<Result>(place: ErrorPlace, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    const error = asRefusal(thrown, place);
    throw isPortalError(error) ? errorResponse(error) : error;
  }
}

/**
 * The same for an action: what is too large, and what another site's page sends, is refused before the action looks at it. What the
 * portal's own page sends with the token of an earlier session comes back as it was typed, and so does what cannot be stored at the moment.
 */
export const answeringForm = <Result>(
  place: ErrorPlace & { request: Request },
  work: () => Result | Promise<Result>,
): Promise<Result | Response> =>
  answering(place, async () => {
    const { request } = place;
    refuseHugeBody(request);
    await demandOwnForm(request);
    try {
      return await work();
    } catch (thrown) {
      const error = asRefusal(thrown, place);
      if (isPortalError(error) && isOutage(error)) return answerOutage(request, error);
      const again = isStaleForm(error) && isOwnForm(request) ? shownAgain(error) : null;
      if (again) return again;
      throw error;
    }
  });

type Routes = ServerBuild["routes"];
type RouteModule = NonNullable<Routes[string]>["module"];

/** Notes the documented code of the route at what its handler did not foresee. */
async function coded<Result>(work: () => Result | Promise<Result>, code: string | undefined): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    noteErrorCode(error, code);
    throw error;
  }
}

const guarded = (id: string, pattern: string, { loader, action, ...module }: RouteModule): RouteModule => ({
  ...module,
  ...(loader && {
    loader: (args: Parameters<typeof loader>[0]) => {
      noteRoute(args.context, pattern);
      return answering(args, () => coded(() => loader(args), failureCode(id, "loader", args.request)));
    },
  }),
  ...(action && {
    action: (args: Parameters<typeof action>[0]) => {
      noteRoute(args.context, pattern);
      return answeringForm(args, () => coded(() => action(args), failureCode(id, "action", args.request)));
    },
  }),
});

/** The JSON calls answer every request themselves, in their own words, and take no cookie that another site's page could use. */
const CALLS = "routes/api.$";

/** `/home/users/:id`, with what a route's parents add; `/` for the outermost. */
function patternOf(routes: Routes, id: string): string {
  const { path = "", parentId } = routes[id] ?? {};
  const above = parentId === undefined ? "/" : patternOf(routes, parentId);
  return path === "" ? above : `${above === "/" ? "" : above}/${path}`;
}

/** The module of a route without a page: what it refuses a browser is a page nevertheless. */
const withPages = ({ loader, ...module }: RouteModule, answer: ReturnType<typeof refusalPages>): RouteModule => ({
  ...module,
  ...(loader && {
    loader: (args: Parameters<typeof loader>[0]) => answer(args.request, args.context, async () => loader(args)),
  }),
});

/**
 * Remix's build with every loader and action noting its route and answering PortalErrors, and every action only the portal's own pages.
 * Done here once: a wrapper called in a route file would stay in the browser's copy of that file, where the server's modules are empty.
 */
export function withPortalErrors(build: ServerBuild): ServerBuild {
  const entries = Object.entries(build.routes).map(([id, route]) => [
    id,
    route && { ...route, module: id === CALLS ? route.module : guarded(id, patternOf(build.routes, id), route.module) },
  ]);
  const routes = Object.fromEntries(entries) as Routes;
  const pageless = pagelessRoutes(routes);
  const answer = refusalPages({ ...build, routes }, pageless);
  for (const [id, route] of Object.entries(routes))
    if (route && pageless.has(id) && id !== CALLS) route.module = withPages(route.module, answer);
  return { ...build, routes };
}

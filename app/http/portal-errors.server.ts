import { type ServerBuild } from "@remix-run/node";
import { noteErrorCode } from "~/lib/error-code";
import { isOutage, isPortalError } from "~/lib/errors";
import { type ErrorContext } from "~/lib/log.server";
import { failureCode } from "./failure-codes";
import { carryToast } from "./flash.server";
import { refuseHugeBody } from "./forms.server";
import { noteAnswer } from "./noted-refusals.server";
import { requireOwnForm, isOwnForm } from "./origin.server";
import { answerOutage } from "./outage.server";
import { pagelessRoutes, refusalPages } from "./refusal-pages.server";
import { noteRoute } from "./request-metrics.server";
import { asRefusal, errorResponse, shownAgain } from "./responses.server";
import { isStaleForm } from "./stale-form.server";

/**
 * Runs a loader or action. A PortalError that it throws becomes the response that the error boundary shows; so does a database that cannot
 * be used. A refusal about security is recorded as an event. `place` is the request, for the log.
 */
export async function answering<Result>(place: ErrorContext, work: () => Result | Promise<Result>): Promise<Result> {
  const note = (answer: unknown) => {
    if (place.request && answer instanceof Response) noteAnswer(place.request, answer);
  };
  try {
    const result = await work();
    note(result);
    return result;
  } catch (thrown) {
    const error = asRefusal(thrown, place);
    const answer = isPortalError(error) ? errorResponse(error) : error;
    note(answer);
    throw answer;
  }
}

/**
 * Runs an action in the same way. Bodies that are too large and forms from other sites are refused before the action sees them. A form of
 * the portal's own page with the token of an earlier session comes back as typed; so does a form that cannot be stored at present.
 */
export const answeringForm = <Result>(
  place: ErrorContext & { request: Request },
  work: () => Result | Promise<Result>,
): Promise<Result | Response> =>
  answering(place, async () => {
    const { request } = place;
    refuseHugeBody(request);
    await requireOwnForm(request);
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

/** Adds the route's documented code to an unexpected error of its handler. */
async function coded<Result>(work: () => Result | Promise<Result>, code: string | undefined): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    noteErrorCode(error, code);
    throw error;
  }
}

/** Runs a loader. When it redirects, a message for its page follows (`carryToast`). */
async function carrying<Result>(request: Request, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    if (result instanceof Response) await carryToast(request, result);
    return result;
  } catch (thrown) {
    if (thrown instanceof Response) await carryToast(request, thrown);
    throw thrown;
  }
}

const guarded = (id: string, pattern: string, { loader, action, ...module }: RouteModule): RouteModule => ({
  ...module,
  ...(loader && {
    loader: (args: Parameters<typeof loader>[0]) => {
      noteRoute(args.context, pattern);
      const work = () => coded(() => loader(args), failureCode(id, "loader", args.request));
      return carrying(args.request, () => answering(args, work));
    },
  }),
  ...(action && {
    action: (args: Parameters<typeof action>[0]) => {
      noteRoute(args.context, pattern);
      return answeringForm(args, () => coded(() => action(args), failureCode(id, "action", args.request)));
    },
  }),
});

/** The API and ACME answer every request themselves, in their own formats, and use no cookie that a page of another site could exploit. */
const CALLS: readonly string[] = ["routes/api.$", "routes/acme.$"];

/** Returns the path pattern of a route with those of its parents, such as `/home/users/:id`, or `/` for the root route. */
function patternOf(routes: Routes, id: string): string {
  const { path = "", parentId } = routes[id] ?? {};
  const above = parentId === undefined ? "/" : patternOf(routes, parentId);
  return path === "" ? above : `${above === "/" ? "" : above}/${path}`;
}

/** Wraps the loader of a route without a page. Browsers still get a page for its refusals. */
const withPages = ({ loader, ...module }: RouteModule, answer: ReturnType<typeof refusalPages>): RouteModule => ({
  ...module,
  ...(loader && {
    loader: (args: Parameters<typeof loader>[0]) => answer(args.request, args.context, async () => loader(args)),
  }),
});

/**
 * Returns Remix's build with every loader and action wrapped: they note their route and answer PortalErrors, and actions accept only forms
 * of the portal's own pages. This is done here and not in the route files, because a wrapper called there would stay in the browser's copy
 * of the file, where the server's modules are empty.
 */
export function withPortalErrors(build: ServerBuild): ServerBuild {
  const entries = Object.entries(build.routes).map(([id, route]) => [
    id,
    route && {
      ...route,
      module: CALLS.includes(id) ? route.module : guarded(id, patternOf(build.routes, id), route.module),
    },
  ]);
  const routes = Object.fromEntries(entries) as Routes;
  const pageless = pagelessRoutes(routes);
  const answer = refusalPages({ ...build, routes }, pageless);
  for (const [id, route] of Object.entries(routes))
    if (route && pageless.has(id) && !CALLS.includes(id)) route.module = withPages(route.module, answer);
  return { ...build, routes };
}

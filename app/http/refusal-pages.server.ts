import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/node";

type Routes = ServerBuild["routes"];

/** Returns the ids of the routes that answer with a file or data. Remix renders no page for them, even for a refusal. */
export function pagelessRoutes(routes: Routes): ReadonlySet<string> {
  const parents = new Set(Object.values(routes).map((route) => route?.parentId));
  return new Set(Object.keys(routes).filter((id) => routes[id]?.module.default === undefined && !parents.has(id)));
}

/** Returns whether a browser opens the address as a document. Programs and the portal's own scripts get the plain answer. */
const wantsPage = (request: Request, context: AppLoadContext) =>
  !context.isNavigation && (request.headers.get("Accept")?.includes("text/html") ?? false);

const isRedirect = (thrown: unknown) => thrown instanceof Response && thrown.status < 400;

/**
 * Returns a function that answers refusals of the routes in `pageless` with error pages. They have the header and the footer, and the
 * status and headers of the refusal. The page is rendered under the requested address, where the browser's scripts hydrate it.
 */
export function refusalPages(build: ServerBuild, pageless: ReadonlySet<string>) {
  const refusing = {
    default: () => null,
    loader: ({ context }: { context: AppLoadContext }) => {
      throw context.refusal;
    },
  };
  const routes = Object.entries(build.routes).map(([id, route]) => [
    id,
    pageless.has(id) ? { ...route, module: refusing } : route,
  ]);
  const render = createRequestHandler({ ...build, routes: Object.fromEntries(routes) as Routes }, build.mode);

  /** Runs a loader. Errors that it throws are answered with a page in browsers. Redirects are thrown again. */
  return async <Result>(request: Request, context: AppLoadContext, work: () => Promise<Result>) => {
    try {
      return await work();
    } catch (thrown) {
      if (isRedirect(thrown) || !wantsPage(request, context)) throw thrown;
      return render(request, { ...context, refusal: thrown });
    }
  };
}

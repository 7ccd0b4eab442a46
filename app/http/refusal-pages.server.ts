import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/node";

type Routes = ServerBuild["routes"];

/** Ids of the routes that answer with a file or data: Remix renders no page for them, also not for what they refuse. */
export function pagelessRoutes(routes: Routes): ReadonlySet<string> {
  const parents = new Set(Object.values(routes).map((route) => route?.parentId));
  return new Set(Object.keys(routes).filter((id) => routes[id]?.module.default === undefined && !parents.has(id)));
}

/** A browser that opens the address as a document; programs and the portal's own scripts read the plain answer. */
const wantsPage = (request: Request, context: AppLoadContext) =>
  !context.isNavigation && (request.headers.get("Accept")?.includes("text/html") ?? false);

const isRedirect = (thrown: unknown) => thrown instanceof Response && thrown.status < 400;

/**
 * Makes error pages for those routes, with header and footer and the refusal's own status and headers. The page is rendered under the
 * address that was asked for, where the browser's scripts take it over. In: the build without its pageless routes' own loaders.
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

  /** Runs a loader; what it throws at a browser is answered with a page. Redirects go on. */
  return async <Result>(request: Request, context: AppLoadContext, work: () => Promise<Result>) => {
    try {
      return await work();
    } catch (thrown) {
      if (isRedirect(thrown) || !wantsPage(request, context)) throw thrown;
      return render(request, { ...context, refusal: thrown });
    }
  };
}

import { type MetaFunction, useRouteError } from "@remix-run/react";
import { ErrorPage, explain } from "./error-page";
import { portalName } from "./page-title";

/**
 * The root and every layout below it export this boundary and `meta`. Remix runs only the loaders above the boundary. With the root's
 * boundary alone, the page for a refused form would have no portal name, header or footer.
 */
export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}

export const meta: MetaFunction = ({ error, matches }) => {
  const name = portalName(matches);
  return [{ title: error ? `${explain(error).title} - ${name}` : name }];
};

import { type MetaFunction, useRouteError } from "@remix-run/react";
import { ErrorPage, explain } from "./error-page";
import { portalName } from "./page-title";

/**
 * The root and every layout below it export these two. Remix runs the loaders above the boundary only: with the root's alone, the page
 * for a refused form would have neither the portal's name nor header and footer.
 */
export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}

export const meta: MetaFunction = ({ error, matches }) => {
  const name = portalName(matches);
  return [{ title: error ? `${explain(error).title} - ${name}` : name }];
};

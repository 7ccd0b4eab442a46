import { resolve } from "node:path";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import { type ActionFunctionArgs } from "@remix-run/node";

export interface RouteModule {
  loader?: (args: ActionFunctionArgs) => unknown;
  action?: (args: ActionFunctionArgs) => unknown;
}

/** A route of the tree. `pattern` is the pattern of its address with those of its parents, such as `home/users/:id`. */
export interface PageRoute extends RouteModule {
  name: string;
  /** The path of its module. */
  file: string;
  pattern: string;
}

const manifest = flatRoutes(resolve("app"));

function patternOf(id: string): string {
  const { path, parentId } = manifest[id] ?? {};
  return [parentId ? patternOf(parentId) : "", path ?? ""].filter(Boolean).join("/");
}

/** Returns every route of the tree with its loader and action. */
export const pageRoutes = (): Promise<PageRoute[]> =>
  Promise.all(
    Object.values(manifest).map(async ({ id, file }) => ({
      ...((await import(resolve("app", file))) as RouteModule),
      name: id.replace(/^routes\//, ""),
      file: `app/${file}`,
      pattern: patternOf(id),
    })),
  );

/** Returns the address of a pattern with these parameters. Optional parameters may be missing. */
export const filled = (pattern: string, params: Readonly<Record<string, string>>): string =>
  `/${pattern.replace(/:(\w+)\??/g, (_, name: string) => params[name] ?? "")}`;

import { type LoaderFunction } from "@remix-run/node";
import { type MetaArgs, type MetaFunction } from "@remix-run/react";
import { type Shell } from "~/domain/shell";

interface Match {
  id: string;
  data: unknown;
}

/** Returns the portal's name from the root loader's data, for titles. */
export const portalName = (matches: readonly Match[]) =>
  (matches.find((match) => match.id === "root")?.data as Shell | undefined)?.portal.name ?? "Portal";

/** `export const meta = pageTitle("Log in")` gives "Log in - <portal name>". */
export const pageTitle =
  <Loader extends LoaderFunction = LoaderFunction>(
    title: string | ((args: MetaArgs<Loader>) => string),
  ): MetaFunction<Loader> =>
  (args) => [{ title: `${typeof title === "string" ? title : title(args)} - ${portalName(args.matches)}` }];

import { paths } from "~/lib/paths";

const LISTS: readonly string[] = [paths.codes, paths.searchCodes];

/** Returns the list page or search from which a code was opened, with its query string. Every address of that code carries it. */
export function cameFrom(request: Request): { from?: string } {
  const from = new URL(request.url).searchParams.get("from") ?? "";
  return LISTS.includes(from.split("?", 1)[0] ?? "") ? { from } : {};
}

/** Returns the address of the Back link. */
export const backFrom = (request: Request): string => cameFrom(request).from ?? paths.codes;

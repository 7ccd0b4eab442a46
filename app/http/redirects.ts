import { paths } from "~/lib/paths";
import { pageFor } from "~/lib/private-files";

/**
 * A page inside the portal that may be asked for after login; anything else (other hosts, `//host`, backslashes) is the dashboard. For a file
 * it is the page that links it: a browser stays on the form when a file is the answer, or has nothing to show inside the document.
 */
export function safeRedirect(target: unknown): string {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target) || /[\\\u0000-\u001f]/.test(target))
    return paths.dashboard;
  const { origin, pathname, search } = new URL(target, "http://portal.invalid");
  // Dots are resolved by now: `/..//host` has become `//host`, which browsers take for another host.
  return origin === "http://portal.invalid" && !pathname.startsWith("//")
    ? pageFor(pathname + search)
    : paths.dashboard;
}

/** The page that was asked for before a login or a duty: the address of both carries it. */
export const targetOf = (request: Request): string => safeRedirect(new URL(request.url).searchParams.get("redirectTo"));

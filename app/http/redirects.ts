import { paths } from "~/lib/paths";
import { pageFor } from "~/lib/private-files";

/**
 * Returns a page of the portal to open after login. Any other target (another host, `//host`, backslashes) becomes the dashboard. A file
 * becomes the page that links to it, because a browser would stay on the form when the answer is a file, or has nothing to show in the
 * document.
 */
export function safeRedirect(target: unknown): string {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target) || /[\\\u0000-\u001f]/.test(target))
    return paths.dashboard;
  const { origin, pathname, search } = new URL(target, "http://portal.invalid");
  // Dots are resolved here: `/..//host` has become `//host`, which browsers take for another host.
  return origin === "http://portal.invalid" && !pathname.startsWith("//")
    ? pageFor(pathname + search)
    : paths.dashboard;
}

/** Returns the page that was requested before a login or a duty. The addresses of both carry it. */
export const targetOf = (request: Request): string => safeRedirect(new URL(request.url).searchParams.get("redirectTo"));

/**
 * Returns the path and query string of the requested page, without the parameters that Remix adds. A form has the same address as its page.
 */
export function requestedPage({ url }: Pick<Request, "url">): string {
  const { pathname, search } = new URL(url);
  const isOurs = (part: string) => part !== "" && part !== "index" && !part.startsWith("_data=");
  const query = search.slice(1).split("&").filter(isOurs).join("&");
  return query ? `${pathname}?${query}` : pathname;
}

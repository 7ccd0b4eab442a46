import { paths } from "~/lib/paths";

/** A path inside the portal that may be asked for after login; anything else (other hosts, `//host`, backslashes) is the dashboard. */
export function safeRedirect(target: unknown): string {
  if (typeof target !== "string" || !/^\/(?![/\\])/.test(target) || /[\\\u0000-\u001f]/.test(target))
    return paths.dashboard;
  const url = new URL(target, "http://portal.invalid");
  return url.origin === "http://portal.invalid" ? url.pathname + url.search : paths.dashboard;
}

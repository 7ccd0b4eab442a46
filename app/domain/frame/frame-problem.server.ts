import { consumeTry } from "~/domain/limits/tries.server";
import { getEnv } from "~/lib/env.server";
import { frameTarget } from "./framed-form.service.server";

/** Why a partner's form is not shown in the portal's frame. */
export type FrameProblem = "unreachable" | "failing" | "forbidden";

/** After how many milliseconds a partner counts as unreachable. */
const PATIENCE_MS = 5000;

/** Returns whether a source of `frame-ancestors` matches this origin (CSP Level 3, section 6.7.2.8). */
function isSourceOf(source: string, { protocol, hostname, port }: URL): boolean {
  const scheme = protocol.slice(0, -1);
  if (source === "*" || source === protocol) return true;
  const parts = /^(?:(https?):\/\/)?(\*\.)?([^:/*]+)(?::(\d+|\*))?\/?$/.exec(source);
  if (!parts) return false;
  const [, wantedScheme = scheme, wildcard, host = "", wantedPort = ""] = parts;
  const isHost = wildcard ? hostname.endsWith(`.${host}`) : hostname === host;
  return isHost && wantedScheme === scheme && (wantedPort === "*" || wantedPort === port);
}

/**
 * Returns whether the headers of a partner's page forbid the portal to show it in a frame: by `frame-ancestors`, or by `X-Frame-Options`
 * where that is missing (CSP Level 3, section 6.4.2; RFC 7034).
 */
export function forbidsFraming(headers: Headers, portal: URL): boolean {
  const policies = (headers.get("Content-Security-Policy") ?? "").toLowerCase().split(",");
  const ancestors = policies
    .flatMap((policy) => policy.split(";"))
    .map((directive) => directive.trim().split(/\s+/))
    .filter(([name]) => name === "frame-ancestors");
  if (ancestors.length > 0)
    return !ancestors.every(([, ...sources]) => sources.some((source) => isSourceOf(source, portal)));
  return /^\s*(deny|sameorigin)\b/i.test(headers.get("X-Frame-Options") ?? "");
}

/**
 * Requests the headers of a partner's page, without its parameters and without a login. Returns why the frame stays empty, or null when the
 * page can be shown. An account has a limited number of these requests. Throws a PortalError (429) when it has none left, and a PortalError
 * (400) for an address outside the endpoint.
 */
export async function findFrameProblem(
  userId: number,
  targetSite: string,
  targetUrl: string,
): Promise<FrameProblem | null> {
  await consumeTry("frame-account", userId);
  const { origin, pathname } = frameTarget({ targetSite, targetUrl });
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { headers, status } = await fetch(origin + pathname, { method: "HEAD", redirect: "manual", signal });
    if (forbidsFraming(headers, new URL(getEnv().publicUrl))) return "forbidden";
    return status >= 500 && status !== 501 ? "failing" : null;
  } catch {
    return "unreachable";
  }
}

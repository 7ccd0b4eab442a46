/**
 * Matches hosts that a Content-Security-Policy can contain. Anything else (`;`, `*`, an IPv6 literal) would have a different meaning there.
 */
const HOST = /^[a-z\d._-]{1,253}$/;

/**
 * Matches characters that are not allowed in an address (RFC 3986 §2) and invisible characters, which a browser would interpret
 * differently.
 */
const NOT_IN_ADDRESSES = /[\s\p{Cc}\p{Cf}"<>\\^`]/u;

/** Returns the address if it starts with `http://` or `https://`, has a plain host and no user name. Otherwise returns null. */
export function readWebAddress(value: string): URL | null {
  if (!/^https?:\/\/[^/]/i.test(value) || NOT_IN_ADDRESSES.test(value) || !URL.canParse(value)) return null;
  const url = new URL(value);
  return HOST.test(url.hostname) && url.username === "" && url.password === "" ? url : null;
}

/** Dots, slashes, backslashes, control characters or percent signs that are still encoded after the router has decoded the path once. */
const STILL_ENCODED = /%(2e|2f|5c|25|[01][\da-f]|7f)/i;
const CONTROL_OR_BACKSLASH = /[\u0000-\u001f\u007f\\]/;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const LONGEST = 2000;

const isDotSegment = (segment: string) => /^\.{1,2}(;|$)/.test(segment);

/**
 * Returns the address below an endpoint that a target names, or null for a target that leads, or tries to lead, elsewhere.
 * @param endpoint The address of the endpoint.
 * @param target A path that the router has decoded, with or without a leading slash, possibly with a query and a fragment.
 */
export function resolveBelow(endpoint: string, target: string): URL | null {
  const { origin, pathname } = new URL(endpoint);
  const base = `${pathname.replace(/\/+$/, "")}/`;
  const below = target.replace(/^\//, "");
  const path = below.split(/[?#]/, 1)[0] ?? "";
  const isForeign =
    target.length > LONGEST ||
    CONTROL_OR_BACKSLASH.test(target) ||
    SCHEME.test(path) ||
    STILL_ENCODED.test(path) ||
    /^\/|\/\//.test(path) ||
    path.split("/").some(isDotSegment);
  if (isForeign) return null;
  const url = new URL(`${origin}${base}${below}`);
  return url.origin === origin && url.pathname.startsWith(base) ? url : null;
}

/** Returns whether a host, as `URL` writes it, is this machine. */
export const isLoopback = (host: string): boolean => /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(host);

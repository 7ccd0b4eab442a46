/** A host as a Content-Security-Policy can name it: anything else (`;`, `*`, an IPv6 literal) would mean something different there. */
const HOST = /^[a-z\d._-]{1,253}$/;

/** What no address has (RFC 3986 §2), and what does not show: a browser would read something else than what is written. */
const NOT_IN_ADDRESSES = /[\s\p{Cc}\p{Cf}"<>\\^`]/u;

/** The address if it starts `http://` or `https://` and names its host plainly, without a user name; else null. */
export function readWebAddress(value: string): URL | null {
  if (!/^https?:\/\/[^/]/i.test(value) || NOT_IN_ADDRESSES.test(value) || !URL.canParse(value)) return null;
  const url = new URL(value);
  return HOST.test(url.hostname) && url.username === "" && url.password === "" ? url : null;
}

/** Dots, slashes, backslashes, control characters or percent signs that are still encoded after the router has decoded once. */
const STILL_ENCODED = /%(2e|2f|5c|25|[01][\da-f]|7f)/i;
const CONTROL_OR_BACKSLASH = /[\u0000-\u001f\u007f\\]/;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const LONGEST = 2000;

const isDotSegment = (segment: string) => /^\.{1,2}(;|$)/.test(segment);

/**
 * The address below an endpoint that a target names. In: the endpoint's address; a path as the router decoded it, with or
 * without a slash in front, perhaps with query and fragment. Out: null for a target that leads, or tries to lead, elsewhere.
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

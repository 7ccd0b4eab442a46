import { createHash } from "node:crypto";

interface Validators {
  etag: string;
  lastModified?: Date;
}

/** Returns the entity tags of a header, and `*` unchanged (RFC 9110 §8.8.3). */
const tagsOf = (list: string): string[] => list.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];

const bare = (tag: string) => tag.replace(/^W\//, "");

/** Strong comparison (RFC 9110 §13.1.1): a weak tag matches nothing. */
const matchesStrongly = (list: string, etag: string): boolean =>
  tagsOf(list).some((tag) => tag === "*" || (tag === etag && !tag.startsWith("W/")));

/** Weak comparison (RFC 9110 §13.1.2): the same text matches, whether or not it came in the same encoding. */
const matchesWeakly = (list: string, etag: string): boolean =>
  tagsOf(list).some((tag) => tag === "*" || bare(tag) === bare(etag));

/** Returns a date in seconds, the resolution of HTTP dates. An invalid date is NaN, which is neither earlier nor later than any date. */
const secondsOf = (date: string | null): number => Math.floor(Date.parse(date ?? "") / 1000);

/**
 * Returns the status with which the preconditions end a GET or HEAD request, in the order of RFC 9110 §13.2.2: 412 when the client asks for
 * another version, 304 when its copy is current, null when the content is to be sent. Tags take precedence over dates. Invalid dates are
 * ignored, and so are all dates when the content has none.
 */
export function precondition(
  { headers }: Pick<Request, "headers">,
  { etag, lastModified }: Validators,
): 304 | 412 | null {
  const modified = lastModified ? Math.floor(lastModified.getTime() / 1000) : NaN;
  const wanted = headers.get("If-Match");
  if (wanted !== null && !matchesStrongly(wanted, etag)) return 412;
  if (wanted === null && modified > secondsOf(headers.get("If-Unmodified-Since"))) return 412;
  const known = headers.get("If-None-Match");
  if (known !== null) return matchesWeakly(known, etag) ? 304 : null;
  return modified <= secondsOf(headers.get("If-Modified-Since")) ? 304 : null;
}

/** Returns the response for a failed precondition: a 304 with the validators, or a 412 that no cache may store. */
export const withoutContent = (status: 304 | 412, validators: Record<string, string>): Response =>
  status === 304
    ? new Response(null, { status, headers: validators })
    : new Response(`${CHANGED}\n`, {
        status,
        headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
      });

/** The text of a 412. */
export const CHANGED =
  "This is not the version that If-Match or If-Unmodified-Since asks for. Leave them out to get the current one.";

/**
 * Returns a public text with a validator: 304 when the client has it, 412 when the client asks for another version. `maxAge` is the number
 * of seconds for which caches may store it.
 */
export function cachedText(request: Request, text: string, mediaType: string, maxAge: number): Response {
  // The tag is weak because the same text is sent in several encodings.
  const etag = `W/"${createHash("sha256").update(text).digest("base64url")}"`;
  const headers = { ETag: etag, "Cache-Control": `public, max-age=${maxAge}` };
  const status = precondition(request, { etag });
  if (status) return withoutContent(status, headers);
  return new Response(text, { headers: { ...headers, "Content-Type": `${mediaType}; charset=utf-8` } });
}

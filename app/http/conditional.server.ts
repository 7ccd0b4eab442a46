import { createHash } from "node:crypto";

interface Validators {
  etag: string;
  lastModified?: Date;
}

const bare = (tag: string) => tag.trim().replace(/^W\//, "");

/** Whether the client's copy is the current one (RFC 9110 §13.1.2, §13.1.3): tags count before dates. */
export function isNotModified(request: Pick<Request, "headers">, { etag, lastModified }: Validators): boolean {
  const tags = request.headers.get("If-None-Match");
  if (tags !== null) return tags.split(",").some((tag) => tag.trim() === "*" || bare(tag) === bare(etag));
  const since = Date.parse(request.headers.get("If-Modified-Since") ?? "");
  return lastModified !== undefined && Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
}

/** A public text with a validator: 304 when the client has it. In: seconds for which caches may keep it. */
export function cachedText(request: Request, text: string, mediaType: string, maxAge: number): Response {
  // Weak: the same text is sent in several encodings.
  const etag = `W/"${createHash("sha256").update(text).digest("base64url")}"`;
  const headers = { ETag: etag, "Cache-Control": `public, max-age=${maxAge}` };
  if (isNotModified(request, { etag })) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "Content-Type": `${mediaType}; charset=utf-8` } });
}

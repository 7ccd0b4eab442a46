import { type LoaderFunctionArgs } from "@remix-run/node";
import { type RepositoryFile, readRepositoryFile } from "~/domain/repository/files.service.server";

/** Whether the client's copy is the current one (RFC 9110 §13.1.2, §13.1.3): tags count before dates. */
function isNotModified(request: Request, { etag, lastModified }: RepositoryFile): boolean {
  const tags = request.headers.get("If-None-Match");
  if (tags !== null) {
    return tags.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
  }
  const since = Date.parse(request.headers.get("If-Modified-Since") ?? "");
  return Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
}

/** Certificates and lists under the addresses that certificates carry: public, without session, GET and HEAD. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const file = await readRepositoryFile(params.file ?? "");
  if (!file) {
    return new Response("There is no such file in the certificate repository.\n", {
      status: 404,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
  const validators = {
    ETag: file.etag,
    "Last-Modified": file.lastModified.toUTCString(),
    "Cache-Control": `public, max-age=${file.maxAge}`,
  };
  if (isNotModified(request, file)) return new Response(null, { status: 304, headers: validators });
  return new Response(file.bytes, {
    headers: {
      ...validators,
      "Content-Type": file.mediaType,
      "Content-Length": String(file.bytes.length),
      "Content-Disposition": `attachment; filename="${file.fileName}"`,
    },
  });
}

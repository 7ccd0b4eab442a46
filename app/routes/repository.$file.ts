import { type LoaderFunctionArgs } from "@remix-run/node";
import { readRepositoryFile } from "~/domain/repository/files.service.server";
import { isNotModified } from "~/http/conditional.server";

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

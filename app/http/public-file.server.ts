import { type RepositoryFile } from "~/domain/repository/repository-file.server";
import { precondition, withoutContent } from "./conditional.server";
import { contentDisposition } from "./files.server";

interface Part {
  /** The first and last byte. */
  from: number;
  to: number;
}

/** Returns whether the parts that the client has belong to this file (RFC 9110 §13.1.5). */
function isSameFile(request: Request, { etag, lastModified }: RepositoryFile): boolean {
  const condition = request.headers.get("If-Range");
  return condition === null || condition === etag || condition === lastModified.toUTCString();
}

/** Returns the requested part of the file (RFC 9110 §14.1.2), undefined for the whole file, or null when the part lies outside the file. */
function partOf(request: Request, file: RepositoryFile): Part | null | undefined {
  const { size } = file;
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.get("Range") ?? "");
  const [, first = "", last = ""] = asked ?? [];
  if ((first === "" && last === "") || !isSameFile(request, file)) return undefined;
  const part =
    first === ""
      ? { from: Math.max(size - Number(last), 0), to: size - 1 }
      : { from: Number(first), to: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  return part.from <= part.to ? part : null;
}

const PIECE = 64 * 1024;

/**
 * Returns a stream of the bytes in pieces, which are sent without copying as the client reads them. A Response of the whole array would
 * copy it for each client.
 */
function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent < bytes.length) controller.enqueue(bytes.subarray(sent, (sent += PIECE)));
      else controller.close();
    },
  });
}

/** Returns a public file with validators, by condition (304, 412) and in parts (206, 416). Content that is not sent is not read. */
export async function publicFile(request: Request, file: RepositoryFile): Promise<Response> {
  const { size, mediaType, fileName, isInline } = file;
  const validators = {
    ETag: file.etag,
    "Last-Modified": file.lastModified.toUTCString(),
    "Cache-Control": `public, max-age=${file.maxAge}`,
    "Accept-Ranges": "bytes",
  };
  const status = precondition(request, file);
  if (status) return withoutContent(status, validators);
  const part = partOf(request, file);
  if (part === null) {
    return new Response(null, { status: 416, headers: { ...validators, "Content-Range": `bytes */${size}` } });
  }
  const { from, to } = part ?? { from: 0, to: size - 1 };
  const body = request.method === "HEAD" ? null : inPieces((await file.read()).subarray(from, to + 1));
  return new Response(body, {
    status: part ? 206 : 200,
    headers: {
      ...validators,
      ...(part && { "Content-Range": `bytes ${from}-${to}/${size}` }),
      "Content-Type": mediaType,
      "Content-Length": String(to - from + 1),
      "Content-Disposition": contentDisposition(fileName, isInline ? "inline" : "attachment"),
    },
  });
}

/** Returns a 404 in plain text for programs. */
export const noSuchFile = (text: string): Response =>
  new Response(`${text}\n`, {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });

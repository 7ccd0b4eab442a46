import { ReadableStream } from "node:stream/web";
import format from "content-disposition";
import { toAscii } from "~/lib/ascii.server";

export interface FileAnswer {
  bytes: Buffer;
  mediaType: string;
  /** Letters and digits of any script, dots, hyphens and underscores only. */
  fileName: string;
}

/**
 * Returns the Content-Disposition of a file (RFC 6266). A name with other letters than ASCII's is sent twice: transliterated as
 * `filename`, and as it is as `filename*` (RFC 8187).
 */
export const contentDisposition = (fileName: string, type: "attachment" | "inline" = "attachment"): string =>
  format(fileName, { type, fallback: toAscii(fileName) });

const fileHeaders = (mediaType: string, fileName: string) => ({
  "Content-Type": mediaType,
  "Content-Disposition": contentDisposition(fileName),
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
});

/** A private file to be saved under its name; nothing on the way may keep it. */
export const fileResponse = ({ bytes, mediaType, fileName }: FileAnswer): Response =>
  new Response(new Uint8Array(bytes), {
    headers: { ...fileHeaders(mediaType, fileName), "Content-Length": String(bytes.length) },
  });

/** The same for a CSV file in UTF-8 that is made while it is sent, and no further than it is read. */
export const csvResponse = (file: AsyncIterable<Uint8Array>, fileName: string): Response =>
  new Response(ReadableStream.from(file) as BodyInit, {
    headers: fileHeaders("text/csv; charset=utf-8", fileName),
  });

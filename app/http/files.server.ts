import { ReadableStream } from "node:stream/web";
import anyAscii from "any-ascii";
import format from "content-disposition";

export interface FileAnswer {
  bytes: Buffer;
  mediaType: string;
  /** Only letters and digits of any script, dots, hyphens and underscores. */
  fileName: string;
}

/** Returns a text in ASCII letters: `Łódź-Пример` becomes `Lodz-Primer`. Characters that have no ASCII form become underscores. */
const toAscii = (text: string): string => anyAscii(text.normalize("NFC")).replace(/[^\x21-\x7e]+|["\\/:*?<>|]+/g, "_");

/**
 * Returns the Content-Disposition of a file (RFC 6266). A name with letters outside ASCII is sent twice: transliterated as `filename`, and
 * unchanged as `filename*` (RFC 8187).
 */
export const contentDisposition = (fileName: string, type: "attachment" | "inline" = "attachment"): string =>
  format(fileName, { type, fallback: toAscii(fileName) });

const fileHeaders = (mediaType: string, fileName: string) => ({
  "Content-Type": mediaType,
  "Content-Disposition": contentDisposition(fileName),
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
});

/** Returns a private file to be saved under its name. No cache may store it. */
export const fileResponse = ({ bytes, mediaType, fileName }: FileAnswer): Response =>
  new Response(new Uint8Array(bytes), {
    headers: { ...fileHeaders(mediaType, fileName), "Content-Length": String(bytes.length) },
  });

/** A private file that is made while it is sent. */
export interface StreamedFile extends Omit<FileAnswer, "bytes"> {
  content: AsyncIterable<Uint8Array>;
}

/** Returns a private file that is made while it is sent, and only as far as the client reads it. */
export const streamedFile = ({ content, mediaType, fileName }: StreamedFile): Response =>
  new Response(ReadableStream.from(content) as BodyInit, { headers: fileHeaders(mediaType, fileName) });

/** Returns a private CSV file in UTF-8 that is made while it is sent. */
export const csvResponse = (content: AsyncIterable<Uint8Array>, fileName: string): Response =>
  streamedFile({ content, fileName, mediaType: "text/csv; charset=utf-8" });

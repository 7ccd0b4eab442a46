import { ReadableStream } from "node:stream/web";

export interface FileAnswer {
  bytes: Buffer;
  mediaType: string;
  /** Letters, digits, dots, hyphens and underscores only. */
  fileName: string;
}

const fileHeaders = (mediaType: string, fileName: string) => ({
  "Content-Type": mediaType,
  "Content-Disposition": `attachment; filename="${fileName}"`,
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

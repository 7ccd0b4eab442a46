export interface FileAnswer {
  bytes: Buffer;
  mediaType: string;
  /** Letters, digits, dots, hyphens and underscores only. */
  fileName: string;
}

/** A private file to be saved under its name; nothing on the way may keep it. */
export const fileResponse = ({ bytes, mediaType, fileName }: FileAnswer): Response =>
  new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": mediaType,
      "Content-Length": String(bytes.length),
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });

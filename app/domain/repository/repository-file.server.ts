import { createHash } from "node:crypto";
import { toPem } from "~/ca/pem.server";

export interface RepositoryFile {
  /** Bytes. */
  size: number;
  /** The file itself, which a client that has it does not need. Throws when it was removed meanwhile. */
  read: () => Promise<Buffer<ArrayBuffer>>;
  mediaType: string;
  /** Letters, digits, dots, hyphens and underscores only. */
  fileName: string;
  /** Shown by the browser, not saved. */
  isInline?: boolean;
  /** Strong validator, with its quotes. */
  etag: string;
  lastModified: Date;
  /** Seconds for which caches may keep the file; never past a list's next update. */
  maxAge: number;
}

export const CERTIFICATE_MEDIA_TYPES = { pem: "application/x-pem-file", der: "application/pkix-cert" };
export const LIST_TYPE = "application/pkix-crl";

/** PEM text of a CA certificate. */
export const certificatePem = (certificate: Buffer): Buffer => Buffer.from(toPem("CERTIFICATE", certificate));

type Rest = Omit<RepositoryFile, "size" | "read" | "etag">;

/** A file that is in memory. */
export const file = (bytes: Buffer, rest: Rest): RepositoryFile => ({
  size: bytes.length,
  read: () => Promise.resolve(bytes as Buffer<ArrayBuffer>), // the drivers share no memory with other threads
  etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
  ...rest,
});

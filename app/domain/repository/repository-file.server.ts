import { createHash } from "node:crypto";
import { toPem } from "~/ca/pem.server";

export interface RepositoryFile {
  /** The size in bytes. */
  size: number;
  /** Reads the file. A client that already has the file does not need it. Throws when the file was removed in the meantime. */
  read: () => Promise<Buffer<ArrayBuffer>>;
  mediaType: string;
  /** Contains only letters, digits, dots, hyphens and underscores. */
  fileName: string;
  /** True when the browser shows the file instead of saving it. */
  isInline?: boolean;
  /** The strong validator, with its quotes. */
  etag: string;
  lastModified: Date;
  /** How many seconds caches may keep the file; for a CRL, never past its nextUpdate. */
  maxAge: number;
}

export const CERTIFICATE_MEDIA_TYPES = { pem: "application/x-pem-file", der: "application/pkix-cert" };
export const LIST_TYPE = "application/pkix-crl";

/** Returns the PEM text of a CA certificate. */
export const certificatePem = (certificate: Buffer): Buffer => Buffer.from(toPem("CERTIFICATE", certificate));

type Rest = Omit<RepositoryFile, "size" | "read" | "etag">;

/** Returns a repository file whose bytes are in memory. */
export const file = (bytes: Buffer, rest: Rest): RepositoryFile => ({
  size: bytes.length,
  read: () => Promise.resolve(bytes as Buffer<ArrayBuffer>), // the database drivers never return shared memory
  etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
  ...rest,
});

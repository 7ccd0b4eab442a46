import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fromPem, toPem } from "~/ca/pem.server";
import { getConfig } from "~/lib/config.server";

/** The names of the files of a former CA that signed with SHA-1 (REP-01). Nothing new is signed with SHA-1. */
export const archiveFiles = {
  root: (encoding: string) => (encoding === "pem" ? "root-sha1.pem" : "root-sha1.cer"),
  issuing: (encoding: string) => (encoding === "pem" ? "issuing-sha1.pem" : "issuing-sha1.cer"),
  list: "issuing-sha1.crl",
  deltaList: "issuing-sha1-delta.crl",
  rootList: "root-sha1.crl",
};

interface Archived {
  /** The name of the file in the archive folder. It is DER or PEM; the PEM of a certificate is made from it. */
  source: string;
  label: "CERTIFICATE" | "X509 CRL";
  isPem: boolean;
}

const CERTIFICATE = { label: "CERTIFICATE" } as const;
const LIST = { label: "X509 CRL", isPem: false } as const;

const ARCHIVE: Readonly<Record<string, Archived>> = {
  "root-sha1.cer": { source: "root-sha1.cer", ...CERTIFICATE, isPem: false },
  "root-sha1.pem": { source: "root-sha1.cer", ...CERTIFICATE, isPem: true },
  "issuing-sha1.cer": { source: "issuing-sha1.cer", ...CERTIFICATE, isPem: false },
  "issuing-sha1.pem": { source: "issuing-sha1.cer", ...CERTIFICATE, isPem: true },
  "root-sha1.crl": { source: "root-sha1.crl", ...LIST },
  "issuing-sha1.crl": { source: "issuing-sha1.crl", ...LIST },
  "issuing-sha1-delta.crl": { source: "issuing-sha1-delta.crl", ...LIST },
};

export const ARCHIVE_NAMES = Object.keys(ARCHIVE);

export interface ArchivedFile {
  bytes: Buffer;
  label: Archived["label"];
  isPem: boolean;
  lastModified: Date;
}

const DER_SEQUENCE = 0x30;

/**
 * Returns a file of the archive by its name in the repository. Returns null when no archive is configured or the archive does not have the
 * file.
 */
export async function readArchived(name: string): Promise<ArchivedFile | null> {
  const folder = getConfig().certificates.sha1Archive;
  const entry = Object.hasOwn(ARCHIVE, name) ? ARCHIVE[name] : undefined;
  if (folder === undefined || !entry) return null;
  const path = join(resolve(folder), entry.source);
  const found = await stat(path).catch(() => null);
  if (!found) return null;
  const stored = await readFile(path);
  const der = stored[0] === DER_SEQUENCE ? stored : fromPem(entry.label, stored.toString("latin1"));
  const bytes = entry.isPem ? Buffer.from(toPem(entry.label, der)) : Buffer.from(der);
  return { bytes, label: entry.label, isPem: entry.isPem, lastModified: found.mtime };
}

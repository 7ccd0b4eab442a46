import { createHash } from "node:crypto";
import { toPem } from "~/ca/pem.server";
import { findAuthority } from "~/domain/authorities/authorities.service.server";
import { AUTHORITIES, type AuthorityEntry } from "~/domain/authorities/catalogue";
import { listLife } from "~/domain/authorities/list-life";
import { repositoryFiles } from "~/domain/authorities/urls.server";
import { DAY } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { type CrlSummary, findLatestCrl } from "~db/repositories/crls.server";

export interface RepositoryFile {
  bytes: Buffer<ArrayBuffer>;
  mediaType: string;
  fileName: string;
  /** Strong validator, with its quotes. */
  etag: string;
  lastModified: Date;
  /** Seconds for which caches may keep the file; never past a list's next update. */
  maxAge: number;
}

/** PEM text of a CA certificate. */
export const certificatePem = (certificate: Buffer): Buffer => Buffer.from(toPem("CERTIFICATE", certificate));

const file = (bytes: Buffer, rest: Omit<RepositoryFile, "bytes" | "etag">): RepositoryFile => ({
  bytes: bytes as Buffer<ArrayBuffer>, // the drivers share no memory with other threads
  etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
  ...rest,
});

/** Until the next regular list is due, or until the end of this one, whichever is first. */
function listMaxAge({ isDelta, thisUpdate, nextUpdate }: CrlSummary, entry: AuthorityEntry, now: Date): number {
  const due = Date.parse(thisUpdate) + (listLife(entry, isDelta).renewAfterMs ?? DAY);
  const until = Math.min(Math.max(due, now.getTime() + 60_000), Date.parse(nextUpdate));
  return Math.max(Math.floor((until - now.getTime()) / 1000), 0);
}

async function readList(
  entry: AuthorityEntry,
  isDelta: boolean,
  fileName: string,
  now: Date,
): Promise<RepositoryFile | null> {
  const authority = await findAuthority(getDb(), entry.name);
  const list = authority && (await findLatestCrl(getDb(), authority.id, isDelta));
  if (!list) return null;
  return file(list.der, {
    mediaType: "application/pkix-crl",
    fileName,
    lastModified: new Date(list.thisUpdate),
    maxAge: listMaxAge(list, entry, now),
  });
}

async function readCertificate(
  entry: AuthorityEntry,
  isPem: boolean,
  fileName: string,
): Promise<RepositoryFile | null> {
  const authority = await findAuthority(getDb(), entry.name);
  if (!authority) return null;
  return file(isPem ? certificatePem(authority.certificate) : authority.certificate, {
    mediaType: isPem ? "application/x-pem-file" : "application/pkix-cert",
    fileName,
    lastModified: new Date(authority.createdAt),
    maxAge: DAY / 1000,
  });
}

/** One file of the repository by its name (`root.cer`, `issuing-sha2-delta.crl`, …); null when there is none of that name. */
export async function readRepositoryFile(fileName: string, now = new Date()): Promise<RepositoryFile | null> {
  for (const entry of AUTHORITIES) {
    if (fileName === repositoryFiles.certificate(entry.name)) return readCertificate(entry, false, fileName);
    if (fileName === repositoryFiles.certificatePem(entry.name)) return readCertificate(entry, true, fileName);
    if (fileName === repositoryFiles.list(entry.name)) return readList(entry, false, fileName, now);
    if (!entry.isRoot && fileName === repositoryFiles.deltaList(entry.name))
      return readList(entry, true, fileName, now);
  }
  return null;
}

import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { toPem } from "~/ca/pem.server";
import { findAuthority } from "~/domain/authorities/authorities.service.server";
import { AUTHORITIES, type AuthorityEntry } from "~/domain/authorities/catalogue";
import { listLife } from "~/domain/authorities/list-life";
import { repositoryFiles } from "~/domain/authorities/urls.server";
import { getConfig } from "~/lib/config.server";
import { DAY } from "~/lib/dates";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { type CrlSummary, findCrlDer, findLatestCrlSummary } from "~db/repositories/crls.server";
import { ARCHIVE_NAMES, readArchived } from "./archive.server";
import { POLICIES, type PolicyEntry } from "./policies/catalogue";
import { policyDate, policyPdf } from "./policies/policies.service.server";

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

const CERTIFICATE_TYPES = { pem: "application/x-pem-file", der: "application/pkix-cert" };
const LIST_TYPE = "application/pkix-crl";

/** PEM text of a CA certificate. */
export const certificatePem = (certificate: Buffer): Buffer => Buffer.from(toPem("CERTIFICATE", certificate));

type Rest = Omit<RepositoryFile, "size" | "read" | "etag">;

const file = (bytes: Buffer, rest: Rest): RepositoryFile => ({
  size: bytes.length,
  read: () => Promise.resolve(bytes as Buffer<ArrayBuffer>), // the drivers share no memory with other threads
  etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
  ...rest,
});

/** Until the next regular list is due, or until the end of this one, whichever is first. */
function listMaxAge({ isDelta, thisUpdate, nextUpdate }: CrlSummary, entry: AuthorityEntry, now: Date): number {
  const due = Date.parse(thisUpdate) + (listLife(entry, isDelta).renewAfterMs ?? DAY);
  const until = Math.min(Math.max(due, now.getTime() + 60_000), Date.parse(nextUpdate));
  return Math.max(Math.floor((until - now.getTime()) / 1000), 0);
}

/** Lists by their ids, under which they never change: many clients at once share one copy. */
const recentLists = memoize(
  () =>
    new LRUCache<number, Buffer<ArrayBuffer>>({
      maxSize: 128 * 1024 * 1024,
      sizeCalculation: ({ length }) => length,
      fetchMethod: async (id) => {
        const der = await findCrlDer(getDb(), id);
        if (!der) throw new Error(`The revocation list ${id} is not there any more.`);
        return der as Buffer<ArrayBuffer>;
      },
    }),
);

async function readList(
  entry: AuthorityEntry,
  isDelta: boolean,
  fileName: string,
  now: Date,
): Promise<RepositoryFile | null> {
  const authority = await findAuthority(getDb(), entry.name);
  const list = authority && (await findLatestCrlSummary(getDb(), authority.id, isDelta));
  if (!list) return null;
  return {
    size: list.size,
    read: () => recentLists().forceFetch(list.id),
    etag: `"${list.etag}"`,
    mediaType: LIST_TYPE,
    fileName,
    lastModified: new Date(list.thisUpdate),
    maxAge: listMaxAge(list, entry, now),
  };
}

async function readCertificate(
  entry: AuthorityEntry,
  isPem: boolean,
  fileName: string,
): Promise<RepositoryFile | null> {
  const authority = await findAuthority(getDb(), entry.name);
  if (!authority) return null;
  return file(isPem ? certificatePem(authority.certificate) : authority.certificate, {
    mediaType: CERTIFICATE_TYPES[isPem ? "pem" : "der"],
    fileName,
    lastModified: new Date(authority.createdAt),
    maxAge: DAY / 1000,
  });
}

/** A policy's PDF, saved under a name with its version. */
async function readPolicy(entry: PolicyEntry): Promise<RepositoryFile> {
  const version = getConfig().policies.version.replace(/[^\w.-]+/g, "-");
  return file(await policyPdf(entry), {
    mediaType: "application/pdf",
    fileName: `${entry.name}-${version}.pdf`,
    isInline: true,
    lastModified: policyDate(),
    maxAge: DAY / 24 / 1000,
  });
}

async function readFromArchive(fileName: string): Promise<RepositoryFile | null> {
  const found = await readArchived(fileName);
  if (!found) return null;
  const { bytes, label, isPem, lastModified } = found;
  const mediaType = label === "CERTIFICATE" ? CERTIFICATE_TYPES[isPem ? "pem" : "der"] : LIST_TYPE;
  return file(bytes, { mediaType, fileName, lastModified, maxAge: DAY / 1000 });
}

/** Why there is no file of this name, in words. */
export const missingFile = (fileName: string): string =>
  ARCHIVE_NAMES.includes(fileName)
    ? "There is no such file in the certificate repository: certificates and lists signed with SHA-1 are not published here."
    : "There is no such file in the certificate repository.";

/** One file of the repository by its name (`root.cer`, `issuing-sha2-delta.crl`, …); null when there is none of that name. */
export async function readRepositoryFile(fileName: string, now = new Date()): Promise<RepositoryFile | null> {
  for (const entry of AUTHORITIES) {
    if (fileName === repositoryFiles.certificate(entry.name)) return readCertificate(entry, false, fileName);
    if (fileName === repositoryFiles.certificatePem(entry.name)) return readCertificate(entry, true, fileName);
    if (fileName === repositoryFiles.list(entry.name)) return readList(entry, false, fileName, now);
    if (!entry.isRoot && fileName === repositoryFiles.deltaList(entry.name))
      return readList(entry, true, fileName, now);
  }
  const policy = POLICIES.find((entry) => entry.file === fileName);
  return policy ? readPolicy(policy) : readFromArchive(fileName);
}

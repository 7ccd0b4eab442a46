import { describeCertificate } from "~/ca/certificate/describe.server";
import { type Authority, findAuthority, listAuthorities } from "~/domain/authorities/authorities.service.server";
import { isAuthorityName, isRootName } from "~/domain/authorities/catalogue";
import { crlLife } from "~/domain/authorities/crl-life";
import { nameCrossCertificates } from "~/domain/authorities/cross-certificates.server";
import { repositoryFiles } from "~/domain/authorities/urls.server";
import { DAY } from "~/lib/dates";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { findNextRevocation } from "~db/repositories/certificates.server";
import { type CrlSummary, findCrlDer, findLatestCrlSummary } from "~db/repositories/crls.server";
import { findCrossCertificate, listCrossCertificates } from "~db/repositories/cross-certificates.server";
import { type AuthorityName } from "~db/tables";
import { isUnavailable } from "~db/unavailable.server";
import {
  CERTIFICATE_MEDIA_TYPES,
  certificatePem,
  file,
  LIST_TYPE,
  type RepositoryFile,
} from "./repository-file.server";

/** The latest CRL of a CA, with what determines how long caches may keep it. */
interface PublishedCrl {
  authority: Authority;
  list: CrlSummary;
  /** The date of the CA's next scheduled revocation, which publishes a new CRL. Null when none is scheduled. */
  nextRevocation: Date | null;
}

/**
 * Returns how many seconds caches may keep a CRL: until the next regular CRL is due, the next scheduled revocation publishes one, or this
 * one ends, whichever comes first. The nextUpdate of the CRL does not change for a scheduled revocation, because all certificates of the CA
 * would be without a CRL until the next one is published (docs/decisions/0048).
 */
function crlMaxAge({ list: { isDelta, thisUpdate, nextUpdate }, authority, nextRevocation }: PublishedCrl, now: Date) {
  const due = Date.parse(thisUpdate) + (crlLife(authority, isDelta).renewAfterMs ?? DAY);
  const ends = [Math.max(due, now.getTime() + 60_000), Date.parse(nextUpdate), nextRevocation?.getTime() ?? Infinity];
  const until = Math.min(...ends);
  return Math.max(Math.floor((until - now.getTime()) / 1000), 0);
}

/** The bytes of a CRL. They never change, so many clients can share one copy. */
interface CrlBytes {
  id: number;
  der: Promise<Buffer<ArrayBuffer>>;
}

/** Caches the latest CRL of each file. The CRL before it is dropped, so a CRL that is published often does not fill the memory. */
const latestCrls = memoize(() => new Map<string, CrlBytes>());

async function readCrl(id: number): Promise<Buffer<ArrayBuffer>> {
  const der = await findCrlDer(getDb(), id);
  if (!der) throw new Error(`The revocation list ${id} is not there any more.`);
  return der as Buffer<ArrayBuffer>;
}

/** Returns the bytes of a CRL. Clients that ask at the same time share one query. */
function crlBytes(fileName: string, id: number): Promise<Buffer<ArrayBuffer>> {
  const known = latestCrls().get(fileName);
  if (known?.id === id) return known.der;
  const der = readCrl(id);
  if (known && known.id > id) return der; // a request that began before a newer CRL was published
  latestCrls().set(fileName, { id, der });
  der.catch(() => {
    if (latestCrls().get(fileName)?.der === der) latestCrls().delete(fileName);
  });
  return der;
}

/** A file that a CA publishes. */
interface Published {
  /** Returns the file as it is served at this time. */
  fileAt: (now: Date) => RepositoryFile;
  /** Returns whether the file has expired, so that nobody should rely on it. */
  isOver: (now: Date) => boolean;
}

/** The files that were published when the database last answered, for use while it is unavailable. */
const lastPublished = memoize(() => new Map<string, Published>());

function publishedCrl(fileName: string, published: PublishedCrl): Published {
  const { list } = published;
  const fileAt = (now: Date): RepositoryFile => ({
    size: list.size,
    read: () => crlBytes(fileName, list.id),
    etag: `"${list.etag}"`,
    mediaType: LIST_TYPE,
    fileName,
    lastModified: new Date(list.thisUpdate),
    maxAge: crlMaxAge(published, now),
  });
  return { fileAt, isOver: (now) => Date.parse(list.nextUpdate) <= now.getTime() };
}

function publishedCertificate(
  { certificate, createdAt }: Pick<Authority, "certificate" | "createdAt">,
  isPem: boolean,
  fileName: string,
): Published {
  const served = file(isPem ? certificatePem(certificate) : certificate, {
    mediaType: CERTIFICATE_MEDIA_TYPES[isPem ? "pem" : "der"],
    fileName,
    lastModified: new Date(createdAt),
    maxAge: DAY / 1000,
  });
  return {
    fileAt: () => served,
    isOver: (now) => Date.parse(describeCertificate(certificate).endDate) <= now.getTime(),
  };
}

interface PublishedName {
  name: AuthorityName;
  kind: "certificate" | "pem" | "list" | "delta";
  /** The id of a cross-certificate. */
  crossId?: number;
}

/** Returns which file of which CA has this name (`repositoryFiles`), or null when no CA can publish a file with this name. */
function readFileName(fileName: string): PublishedName | null {
  const [, authority = "", id, encoding] = /^([a-z0-9-]+?)-cross-([1-9]\d{0,8})\.(cer|pem)$/.exec(fileName) ?? [];
  if (isAuthorityName(authority))
    return { name: authority, kind: encoding === "pem" ? "pem" : "certificate", crossId: Number(id) };
  const [, name = "", delta, ending] = /^([a-z0-9-]+?)(-delta)?\.(cer|pem|crl)$/.exec(fileName) ?? [];
  if (!isAuthorityName(name)) return null;
  if (ending === "crl") return delta && isRootName(name) ? null : { name, kind: delta ? "delta" : "list" };
  return delta ? null : { name, kind: ending === "pem" ? "pem" : "certificate" };
}

async function findList(authority: Authority, isDelta: boolean, fileName: string): Promise<Published | null> {
  const list = await findLatestCrlSummary(getDb(), authority.id, isDelta);
  if (!list) return null;
  const nextRevocation = await findNextRevocation(getDb(), authority.id);
  return publishedCrl(fileName, { authority, list, nextRevocation });
}

/** Returns the cross-certificate of a CA with this id, or null when it is another CA's. */
async function findCrossOf(authority: Authority, id: number) {
  const row = await findCrossCertificate(getDb(), id);
  return row?.authorityId === authority.id ? row : null;
}

async function findPublished(fileName: string): Promise<Published | null> {
  const { name, kind, crossId } = readFileName(fileName) ?? {};
  const authority = name && (await findAuthority(getDb(), name));
  if (!authority) return null;
  const isCertificate = kind === "certificate" || kind === "pem";
  const certified = crossId === undefined ? authority : await findCrossOf(authority, crossId);
  if (!certified) return null;
  const published = isCertificate
    ? publishedCertificate(certified, kind === "pem", fileName)
    : await findList(authority, kind === "delta", fileName);
  if (published) lastPublished().set(fileName, published);
  return published;
}

/** Returns whether a CA can publish a file with this name. */
export const isPublished = (fileName: string): boolean => readFileName(fileName) !== null;

/**
 * Returns the file that a CA publishes under this name, or null when there is none. While the database is unavailable, returns the last
 * version until it expires.
 */
export async function readPublished(fileName: string, now: Date): Promise<RepositoryFile | null> {
  try {
    return (await findPublished(fileName))?.fileAt(now) ?? null;
  } catch (error) {
    const last = lastPublished().get(fileName);
    if (!isUnavailable(error) || !last || last.isOver(now)) throw error;
    return last.fileAt(now);
  }
}

/** Reads all files that the CAs publish. */
export async function cachePublished(now = new Date()): Promise<void> {
  const { certificate, certificatePem: pem, list, deltaList } = repositoryFiles;
  const authorities = await listAuthorities(getDb());
  const cross = nameCrossCertificates(await listCrossCertificates(getDb()), authorities);
  const files = [
    ...authorities.flatMap(({ name, isRoot }) => [list(name), ...(isRoot ? [] : [deltaList(name)])]),
    ...[...authorities, ...cross].flatMap(({ name }) => [certificate(name), pem(name)]),
  ];
  for (const fileName of files) await (await findPublished(fileName))?.fileAt(now).read();
}

const MINUTE_MS = 60_000;

/**
 * Reads all files that the CAs publish, now and every minute, so that this process has them when the database is unavailable. `/readyz`
 * reports an unavailable database. Nothing has to be stopped: the process may end at any time.
 */
export function keepPublished(): void {
  const read = () =>
    void cachePublished().catch((error: unknown) => {
      if (!isUnavailable(error)) logError(error, { code: "repository" });
    });
  read();
  setInterval(read, MINUTE_MS).unref();
}

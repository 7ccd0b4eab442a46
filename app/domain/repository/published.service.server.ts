import { LRUCache } from "lru-cache";
import { describeCertificate } from "~/ca/certificate/describe.server";
import { type Authority, findAuthority } from "~/domain/authorities/authorities.service.server";
import { AUTHORITIES, type AuthorityEntry } from "~/domain/authorities/catalogue";
import { listLife } from "~/domain/authorities/list-life";
import { repositoryFiles } from "~/domain/authorities/urls.server";
import { DAY } from "~/lib/dates";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { findNextRevocation } from "~db/repositories/certificates.server";
import { type CrlSummary, findCrlDer, findLatestCrlSummary } from "~db/repositories/crls.server";
import { isUnavailable } from "~db/unavailable.server";
import {
  CERTIFICATE_MEDIA_TYPES,
  certificatePem,
  file,
  LIST_TYPE,
  type RepositoryFile,
} from "./repository-file.server";

/** What caches may keep, and until when. */
interface PublishedList {
  entry: AuthorityEntry;
  list: CrlSummary;
  /** When the CA's next scheduled revocation is carried out, which publishes the next list; null when none is scheduled. */
  nextRevocation: Date | null;
}

/**
 * Seconds until the next regular list is due, the next scheduled revocation brings one, or this one ends, whichever is first. The list's own
 * nextUpdate stays: all certificates of the CA would be without a list until the next one is there (docs/decisions/0048).
 */
function listMaxAge({ list: { isDelta, thisUpdate, nextUpdate }, entry, nextRevocation }: PublishedList, now: Date) {
  const due = Date.parse(thisUpdate) + (listLife(entry, isDelta).renewAfterMs ?? DAY);
  const ends = [Math.max(due, now.getTime() + 60_000), Date.parse(nextUpdate), nextRevocation?.getTime() ?? Infinity];
  const until = Math.min(...ends);
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

/** What a CA publishes under a name. */
interface Published {
  /** The file as it is to be served at this moment. */
  fileAt: (now: Date) => RepositoryFile;
  /** Nobody should rely on it any more. */
  isOver: (now: Date) => boolean;
}

/** What was published when the database was last asked, for when it cannot be. */
const lastPublished = memoize(() => new Map<string, Published>());

function publishedList(fileName: string, published: PublishedList): Published {
  const { list } = published;
  const fileAt = (now: Date): RepositoryFile => ({
    size: list.size,
    read: () => recentLists().forceFetch(list.id),
    etag: `"${list.etag}"`,
    mediaType: LIST_TYPE,
    fileName,
    lastModified: new Date(list.thisUpdate),
    maxAge: listMaxAge(published, now),
  });
  return { fileAt, isOver: (now) => Date.parse(list.nextUpdate) <= now.getTime() };
}

function publishedCertificate({ certificate, createdAt }: Authority, isPem: boolean, fileName: string): Published {
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

/** The names under which a CA publishes, and how each is found. */
const PUBLISHED = new Map(
  AUTHORITIES.flatMap((entry) => {
    const certificate = (fileName: string, isPem: boolean) =>
      [fileName, (authority: Authority) => Promise.resolve(publishedCertificate(authority, isPem, fileName))] as const;
    const list = (fileName: string, isDelta: boolean) =>
      [
        fileName,
        async ({ id }: Authority) => {
          const latest = await findLatestCrlSummary(getDb(), id, isDelta);
          if (!latest) return null;
          const nextRevocation = await findNextRevocation(getDb(), id);
          return publishedList(fileName, { entry, list: latest, nextRevocation });
        },
      ] as const;
    const files = [
      certificate(repositoryFiles.certificate(entry.name), false),
      certificate(repositoryFiles.certificatePem(entry.name), true),
      list(repositoryFiles.list(entry.name), false),
      ...(entry.isRoot ? [] : [list(repositoryFiles.deltaList(entry.name), true)]),
    ];
    return files.map(([fileName, find]) => [fileName, { name: entry.name, find }] as const);
  }),
);

async function findPublished(fileName: string): Promise<Published | null> {
  const { name, find } = PUBLISHED.get(fileName) ?? {};
  const authority = name && (await findAuthority(getDb(), name));
  const published = authority && find ? await find(authority) : null;
  if (published) lastPublished().set(fileName, published);
  return published;
}

/** Whether a CA publishes something under this name. */
export const isPublished = (fileName: string): boolean => PUBLISHED.has(fileName);

/** What a CA publishes under this name; while the database cannot be used, what it last was, as long as that holds. */
export async function readPublished(fileName: string, now: Date): Promise<RepositoryFile | null> {
  try {
    return (await findPublished(fileName))?.fileAt(now) ?? null;
  } catch (error) {
    const last = lastPublished().get(fileName);
    if (!isUnavailable(error) || !last || last.isOver(now)) throw error;
    return last.fileAt(now);
  }
}

/** Reads all that the CAs publish. */
export async function rememberPublished(now = new Date()): Promise<void> {
  for (const fileName of PUBLISHED.keys()) await (await findPublished(fileName))?.fileAt(now).read();
}

const MINUTE_MS = 60_000;

/**
 * Reads now and every minute what the CAs publish, so that this process has it when the database cannot be used. That it cannot be used
 * is told by `/readyz`. Nothing is to be stopped: the process may end at any time.
 */
export function keepPublished(): void {
  const read = () =>
    void rememberPublished().catch((error: unknown) => {
      if (!isUnavailable(error)) logError(error, { code: "repository" });
    });
  read();
  setInterval(read, MINUTE_MS).unref();
}

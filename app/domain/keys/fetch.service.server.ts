import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { FileProblem } from "~/lib/file-problem.server";
import { type BadkeysCatalogue, badkeysSource, hasBlocklistSize, readCatalogue } from "./badkeys.server";
import { decompressed, download, firstBytes, isAddress, sha256OfFile } from "./fetched-file.server";
import { importKeyList, type KeyImportOptions, type KeyImportResult } from "./import.service.server";
import { type KeySource, textSource } from "./key-file.server";

const CATALOGUE = "badkeysdata.json";
const BLOCKLISTS = ["blocklist.dat", "blocklist.dat.xz"];

/** Returns whether the first bytes of a file are text as in lists of fingerprints: UTF-8 without control characters. */
function isText(bytes: Buffer): boolean {
  try {
    // A character that is cut off at the end is not an error.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return false;
  }
  return bytes.every((byte) => byte >= 0x20 || [0x09, 0x0a, 0x0d].includes(byte));
}

/** Returns the file name in an address or a path. */
const fileName = (place: string): string => basename(isAddress(place) ? new URL(place).pathname : place);

/** Returns a file of this machine unchanged. Downloads an address into `folder` and returns that file. */
async function bring(place: string, folder: string): Promise<string> {
  if (!isAddress(place)) return place;
  const file = join(folder, "download");
  await download(place, file);
  return file;
}

/** Reads the catalogue next to a blocklist on this machine, which names its subsets. Returns null when there is none. */
async function catalogueBeside(place: string): Promise<BadkeysCatalogue | null> {
  const file = join(dirname(place), CATALOGUE);
  if (isAddress(place) || !existsSync(file)) return null;
  return readCatalogue(await readFile(file, "utf8"), file);
}

/** Returns where the blocklist of a catalogue is: next to it on this machine if it is there, otherwise at its address. */
const blocklistOf = (place: string, catalogue: BadkeysCatalogue): string =>
  (isAddress(place)
    ? []
    : BLOCKLISTS.map((name) => join(dirname(place), name)).filter((file) => existsSync(file)))[0] ??
  catalogue.blocklist_url;

async function sourceOfCatalogue(place: string, text: string, folder: string): Promise<KeySource> {
  const catalogue = readCatalogue(text, place);
  const list = blocklistOf(place, catalogue);
  const content = await decompressed(await bring(list, folder), list, folder);
  if ((await sha256OfFile(content)) !== catalogue.blocklist_sha256.toLowerCase())
    throw new FileProblem(`${list} is not the list that ${place} names: its SHA-256 is another one.`);
  return badkeysSource(content, list, catalogue);
}

/** Detects the format of a file or an address and returns its keys. Throws a FileProblem when the format is unknown. */
async function openSource(place: string, folder: string): Promise<KeySource> {
  const content = await decompressed(await bring(place, folder), place, folder);
  const start = await firstBytes(content, place);
  if (isText(start)) {
    if (start.toString("latin1").trimStart().startsWith("{"))
      return sourceOfCatalogue(place, await readFile(content, "utf8"), folder);
    return { ...textSource(content, fileName(place)), label: place };
  }
  if (await hasBlocklistSize(content)) return badkeysSource(content, place, await catalogueBeside(place));
  throw new FileProblem(`${place} is no list that is known here: neither text nor the blocklist of badkeys.`);
}

export interface KeyFetchOptions extends Omit<KeyImportOptions, "source"> {
  /** A path or an https address. */
  place: string;
}

/**
 * Fetches a list of known bad keys from a file or an address and imports it (`importKeyList`). The list is the badkeysdata.json or
 * blocklist.dat of badkeys, one of Debian's blacklists, or a file in the format of `keys import`, compressed or not. Throws a FileProblem.
 */
export async function fetchKeyList({ place, ...options }: KeyFetchOptions, now = new Date()): Promise<KeyImportResult> {
  const folder = await mkdtemp(join(tmpdir(), "marque-keys-"));
  try {
    return await importKeyList({ ...options, source: await openSource(place, folder) }, now);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

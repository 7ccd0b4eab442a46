import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError } from "~/lib/config-error";
import { getConfig } from "~/lib/config.server";
import { log } from "~/lib/log.server";

/** An upper bound for the length of a line in bytes: 40 digits, a colon, a count and the line break. */
const LINE_ROOM = 128;
/** When no more than this many bytes are left, the search reads them all at once. */
const LAST_PART = 4096;

const LINE = /^([\dA-F]{40})(?::\d+)?\s*$/i;

/** Returns the part of a file between two positions in bytes. It is shorter at the end of the file. */
async function readPart(file: FileHandle, from: number, to: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString("latin1", 0, bytesRead);
}

/**
 * Returns the hash of the first line that starts at or after a position, and where that line starts. Positions are in bytes. Returns null
 * when there is no such line.
 */
async function lineFrom(file: FileHandle, position: number): Promise<{ start: number; hash: string } | null> {
  const before = position === 0 ? 0 : position - 1;
  const part = await readPart(file, before, before + 2 * LINE_ROOM);
  const offset = position === 0 ? 0 : part.indexOf("\n") + 1;
  if (position > 0 && offset === 0) return null;
  const hash = LINE.exec(part.slice(offset).split("\n", 1)[0] ?? "")?.[1];
  return hash ? { start: before + offset, hash: hash.toUpperCase() } : null;
}

/**
 * Returns whether a file contains a hash. The lines must be sorted by hash. The binary search reads a few dozen blocks, however large the
 * file is.
 */
async function contains(file: FileHandle, hash: string): Promise<boolean> {
  let [low, high] = [0, (await file.stat()).size];
  while (high - low > LAST_PART) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineFrom(file, middle);
    if (line?.hash === hash) return true;
    if (line && line.hash < hash) low = line.start;
    else high = middle;
  }
  const rest = await readPart(file, low, high + LINE_ROOM);
  return rest.split("\n").some((line) => LINE.exec(line)?.[1]?.toUpperCase() === hash);
}

const configured = () => {
  const name = getConfig().accounts.breachedPasswords;
  return name === undefined ? null : resolve(name);
};

/**
 * Returns whether the password is in the file of breached passwords that the configuration names (`accounts.breachedPasswords`). The file
 * has the format of Have I Been Pwned: SHA-1 hashes in hexadecimal digits, sorted, each followed by `:` and a count. Returns false when no
 * file is configured, or when the file cannot be read, which is logged.
 */
export async function isBreached(password: string): Promise<boolean> {
  const name = configured();
  if (name === null) return false;
  const hash = createHash("sha1").update(password.normalize("NFC")).digest("hex").toUpperCase();
  try {
    const file = await open(name);
    try {
      return await contains(file, hash);
    } finally {
      await file.close();
    }
  } catch (error) {
    log().error({ err: error }, "the list of breached passwords cannot be read: a password was not compared with it");
    return false;
  }
}

/**
 * Throws a ConfigError when a file of breached passwords is configured but cannot be read or does not have the right format. Called at the
 * start.
 */
export async function checkBreachedPasswords(): Promise<void> {
  const name = configured();
  if (name === null) return;
  const wrong = (what: string) => new ConfigError([`PORTAL_CONFIG: accounts.breachedPasswords ${what}`]);
  const file = await open(name).catch((error: unknown) => {
    throw wrong(`must name a file that can be read: ${(error as Error).message}`);
  });
  try {
    if (!(await lineFrom(file, 0).catch(() => null)))
      throw wrong("must name a list of SHA-1 hashes as Have I Been Pwned publishes them, ordered by hash");
  } finally {
    await file.close();
  }
}

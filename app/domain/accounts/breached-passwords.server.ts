import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError } from "~/lib/config-error";
import { getConfig } from "~/lib/config.server";
import { log } from "~/lib/log.server";

/** Longer than any line: 40 digits, a colon, a count and the line's end, in bytes. */
const LINE_ROOM = 128;
/** Where the search ends, the rest is read at once, in bytes. */
const LAST_PART = 4096;

const LINE = /^([\dA-F]{40})(?::\d+)?\s*$/i;

/** Reads the part of a file from one position to another, both in bytes; it is shorter at the end of the file. */
async function readPart(file: FileHandle, from: number, to: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString("latin1", 0, bytesRead);
}

/** Where the first line begins that starts at or after a position, in bytes, and its hash; null behind the last line. */
async function lineFrom(file: FileHandle, position: number): Promise<{ start: number; hash: string } | null> {
  const before = position === 0 ? 0 : position - 1;
  const part = await readPart(file, before, before + 2 * LINE_ROOM);
  const offset = position === 0 ? 0 : part.indexOf("\n") + 1;
  if (position > 0 && offset === 0) return null;
  const hash = LINE.exec(part.slice(offset).split("\n", 1)[0] ?? "")?.[1];
  return hash ? { start: before + offset, hash: hash.toUpperCase() } : null;
}

/** Whether a hash is in a file of lines that are ordered by it. Reads some dozen blocks, however large the file is. */
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
 * Whether the password is in the operator's list of breached passwords (`accounts.breachedPasswords`): SHA-1 hashes in hexadecimal digits,
 * ordered, each with `:` and a count, as Have I Been Pwned publishes them. False without a list. A list that cannot be read is logged.
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

/** Throws a ConfigError when a list of breached passwords is configured and the file does not begin as one. For the start. */
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

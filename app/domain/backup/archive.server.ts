import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { link, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream as WebStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { syncDirectory } from "~/lib/atomic-file.server";
import { explainFileError, explainWriteError } from "~/lib/file-problem.server";
import { decrypterFor, encrypterFor, type ArchiveLock, type ArchiveOpening } from "./locks.server";
import { removeOnSignal } from "./remove-on-signal.server";

/**
 * An archive is one file: a tar, compressed by gzip, encrypted by age. All three are standards, so that `age -d FILE | tar xz` opens it without
 * this portal. It is written and read as a stream and need not fit into memory.
 */
export interface ArchiveWriter {
  add: (name: string, content: Uint8Array) => Promise<void>;
  /** Adds a file of `size` octets, whose content comes in pieces. */
  addPieces: (name: string, size: number, pieces: AsyncIterable<Uint8Array>) => Promise<void>;
  /** The SHA-256 of each file so far in hex, by its name. */
  hashes: Readonly<Record<string, string>>;
}

type Packer = ReturnType<typeof createTarPacker>["controller"];

function writerOf(packer: Packer): ArchiveWriter {
  const hashes: Record<string, string> = {};
  const addPieces = async (
    name: string,
    size: number,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> => {
    const hash = createHash("sha256");
    const writer = packer.add({ name, size, type: "file", mode: 0o600 }).getWriter();
    for await (const piece of pieces) {
      hash.update(piece);
      await writer.write(piece);
    }
    await writer.close();
    hashes[name] = hash.digest("hex");
  };
  return { hashes, addPieces, add: (name, content) => addPieces(name, content.length, [content]) };
}

/**
 * Sends a stream of the web's kind through a stream of Node's kind. Node's own converters and CompressionStream keep thousands of pieces in
 * memory instead of waiting for the reader.
 */
function through(source: ReadableStream<Uint8Array>, transform: Transform): ReadableStream<Uint8Array> {
  // An error destroys the transform, whose reader gets it.
  pipeline(Readable.fromWeb(source as WebStream<Uint8Array>), transform).catch(() => undefined);
  return streamOf(transform);
}

const streamOf = (pieces: AsyncIterable<Uint8Array>) => WebStream.from(pieces) as unknown as ReadableStream<Uint8Array>;

/** Encrypts what `fill` adds into a file and waits until it is on the disk. */
async function encryptInto(
  file: string,
  lock: ArchiveLock,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const { readable, controller } = createTarPacker();
  const encrypted = await encrypterFor(lock).encrypt(through(readable, createGzip()));
  const destination = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
  const written = pipeline(Readable.fromWeb(encrypted as unknown as WebStream<Uint8Array>), destination);
  const filled = fill(writerOf(controller)).then(
    () => controller.finalize(),
    (error: unknown) => {
      controller.error(error);
      throw error;
    },
  );
  const [filling, writing] = await Promise.allSettled([filled, written]);
  // When the disk is full, both fail, and the file system's error is the reason.
  if (writing.status === "rejected" && "syscall" in (writing.reason as object))
    throw explainWriteError(writing.reason, file);
  if (filling.status === "rejected") throw filling.reason;
  if (writing.status === "rejected") throw writing.reason;
}

/**
 * Writes an archive with what `fill` adds. It gets its name when it is complete and on the disk, and never replaces another file. Throws an
 * Error, and leaves nothing behind, when any of it fails.
 */
export async function writeArchive(
  file: string,
  lock: ArchiveLock,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} exists already. Name a new file.`);
  const partial = join(dirname(file), `.${basename(file)}.part`);
  await rm(partial, { force: true }); // what a backup that was killed has left
  const keep = removeOnSignal(partial);
  try {
    await encryptInto(partial, lock, fill);
    await link(partial, file).catch((error: unknown) => {
      throw explainWriteError(error, file);
    });
  } finally {
    await rm(partial, { force: true });
    keep();
  }
  await syncDirectory(dirname(file));
}

/** A file of an archive. Its content must be read before the next file. */
export interface ArchiveEntry {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

const damaged = (file: string) =>
  new Error(`${file} is damaged, cut off or not a backup of this portal. Nothing of it was kept. Use another copy.`);

async function* contentOf(body: ReadableStream<Uint8Array>, file: string): AsyncIterable<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw damaged(file);
    });
    if (done) return;
    yield value;
  }
}

/** Returns what an archive contains, decrypted. Throws an Error when it cannot be opened with these identities or this passphrase. */
async function decrypt(file: string, opening: ArchiveOpening): Promise<ReadableStream<Uint8Array>> {
  const source = createReadStream(file);
  await new Promise<void>((resolve, reject) => source.once("open", () => resolve()).once("error", reject)).catch(
    (error: unknown) => {
      throw explainFileError(error, file);
    },
  );
  return decrypterFor(opening)
    .decrypt(streamOf(source as AsyncIterable<Uint8Array>))
    .catch((error: unknown) => {
      source.destroy();
      if (!String(error).includes("no identity matched")) throw damaged(file);
      const what = "passphrase" in opening ? "This passphrase does" : "These identities do";
      throw new Error(`${what} not open ${file}. It was encrypted for others, or its first lines are damaged.`);
    });
}

/**
 * Reads an archive file by file. age authenticates each piece before it is returned, and the end of the archive before the last file ends.
 * Throws an Error when the archive is damaged or cut off.
 */
export async function* readArchive(file: string, opening: ArchiveOpening): AsyncGenerator<ArchiveEntry> {
  const decrypted = await decrypt(file, opening);
  const entries = through(decrypted, createGunzip())
    .pipeThrough(createTarDecoder({ strict: true }))
    .getReader();
  try {
    for (;;) {
      const { done, value } = await entries.read().catch(() => {
        throw damaged(file);
      });
      if (done) return;
      const { name, type } = value.header;
      if (type === "file") yield { name, content: contentOf(value.body, file) };
      else if (type !== "directory") throw damaged(file);
    }
  } finally {
    await entries.cancel().catch(() => undefined); // closes the file when the reader stops early
  }
}

import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as rest } from "node:timers/promises";
import { Zip, ZipDeflate } from "fflate";

/** How many bytes are read at a time. */
const PART_SIZE = 64 * 1024;

/**
 * A ZIP archive that is written to a temporary file, together with the hashes of its files. The temporary file has no name, so that nothing
 * stays on the disk when the portal ends or nobody reads the archive.
 */
export class ZipFile {
  private readonly waiting: Uint8Array[] = [];
  private readonly hash = createHash("sha256");
  private readonly archive = new Zip((error, part) => {
    if (error) throw error;
    this.waiting.push(part);
  });
  /** The SHA-256 of each file in hex, by its path. */
  readonly files = new Map<string, string>();

  private constructor(
    private readonly handle: FileHandle,
    private readonly now: Date,
  ) {}

  static async create(now: Date): Promise<ZipFile> {
    const folder = await mkdtemp(join(tmpdir(), "marque-evidence-"));
    try {
      return new ZipFile(await open(join(folder, "pack.zip"), "wx+", 0o600), now);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  private begin(path: string): { entry: ZipDeflate; hash: Hash } {
    const entry = new ZipDeflate(path, { level: 6 });
    entry.mtime = this.now;
    this.archive.add(entry);
    return { entry, hash: createHash("sha256") };
  }

  private async flush(): Promise<void> {
    for (const part of this.waiting.splice(0)) {
      this.hash.update(part);
      await this.handle.writeFile(part);
    }
    await rest();
  }

  /** Adds a file whose content comes in parts. */
  async addParts(path: string, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
    const { entry, hash } = this.begin(path);
    for await (const part of parts) {
      const bytes = Buffer.from(part as string);
      hash.update(bytes);
      entry.push(bytes);
      await this.flush();
    }
    entry.push(new Uint8Array(0), true);
    await this.flush();
    this.files.set(path, hash.digest("hex"));
  }

  async add(path: string, content: string | Uint8Array): Promise<void> {
    const { entry, hash } = this.begin(path);
    const bytes = Buffer.from(content as string);
    entry.push(bytes, true);
    await this.flush();
    this.files.set(path, hash.update(bytes).digest("hex"));
  }

  /** Ends the archive. Returns its SHA-256 in hex. */
  async end(): Promise<string> {
    this.archive.end();
    await this.flush();
    return this.hash.digest("hex");
  }

  /** Returns the bytes of the archive, once. The temporary file is gone after the last of them, and when nobody reads on. */
  read(): AsyncIterableIterator<Uint8Array> {
    let position = 0;
    const end = async () => {
      await this.remove();
      return { done: true, value: undefined } as const;
    };
    const next = async () => {
      const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(PART_SIZE), 0, PART_SIZE, position);
      position += bytesRead;
      return bytesRead === 0 ? end() : { done: false, value: buffer.subarray(0, bytesRead) };
    };
    // A generator that nobody has begun to read would not notice that nobody reads on.
    const parts: AsyncIterableIterator<Uint8Array> = { next, return: end, [Symbol.asyncIterator]: () => parts };
    return parts;
  }

  async remove(): Promise<void> {
    this.archive.terminate();
    await this.handle.close();
  }
}

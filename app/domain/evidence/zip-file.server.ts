import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as rest } from "node:timers/promises";
import { Zip, ZipDeflate } from "fflate";

/** A ZIP archive that is written to a temporary file, which only the portal can read, together with the hashes of its files. */
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
    private readonly folder: string,
    private readonly handle: FileHandle,
    private readonly now: Date,
  ) {}

  static async create(now: Date): Promise<ZipFile> {
    const folder = await mkdtemp(join(tmpdir(), "marque-evidence-"));
    return new ZipFile(folder, await open(join(folder, "pack.zip"), "wx", 0o600), now);
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
    await this.handle.close();
    return this.hash.digest("hex");
  }

  /** Yields the bytes of the archive, and removes the file afterwards or when nobody reads on. */
  async *read(): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of createReadStream(join(this.folder, "pack.zip"))) yield part as Buffer;
    } finally {
      await this.remove();
    }
  }

  async remove(): Promise<void> {
    this.archive.terminate();
    await this.handle.close().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}

import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { syncDirectory } from "~/lib/atomic-file.server";
import { signerJournalFile } from "~/lib/signer-files.server";
import {
  type EntryContent,
  JOURNAL_START,
  type JournalEntry,
  type JournalHead,
  readLine,
  sealLine,
} from "./journal-entry.server";
import { type JournalPage } from "./protocol";
import { Refusal } from "./refusal.server";

/** How many lines a page of the journal has at most. */
const PAGE = 1000;
const LINE_END = 0x0a;

interface Waiting {
  line: string;
  head: JournalHead;
  done: (error?: Error) => void;
}

/** What verifying a journal found. */
interface Verified {
  head: JournalHead;
  /** The number of bytes of whole lines. */
  size: number;
  /** The number of bytes after the last whole line, which a crash left. */
  torn: number;
}

/**
 * Verifies every line of a journal file, in order, and calls `onEntry` with each and the byte at which it begins. A missing file is an empty
 * journal.
 *
 * @throws Error that names the first line that is damaged, edited or missing.
 */
export async function verifyJournal(
  file: string,
  onEntry: (entry: JournalEntry, offset: number) => void = () => undefined,
): Promise<Verified> {
  const length = await stat(file).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return 0;
    },
  );
  if (length === 0) return { head: JOURNAL_START, size: 0, torn: 0 };
  const whole = await wholeLines(file, length);
  let [head, size] = [JOURNAL_START, 0];
  if (whole > 0) {
    for await (const line of createInterface({ input: createReadStream(file, { end: whole - 1 }) })) {
      const entry = readLine(head, line);
      onEntry(entry, size);
      head = entry;
      size += Buffer.byteLength(line) + 1;
    }
  }
  if (size !== whole) throw new Error(`Line ${head.number} of the journal has bytes that are no text.`);
  const { number, hash, time } = head;
  return { head: { number, hash, time }, size, torn: length - whole };
}

/** Returns how many of the first `length` bytes of a file end with a whole line. */
async function wholeLines(file: string, length: number): Promise<number> {
  const handle = await open(file, "r");
  try {
    const piece = Buffer.alloc(64 * 1024);
    for (let end = length; end > 0;) {
      const start = Math.max(end - piece.length, 0);
      const { bytesRead } = await handle.read(piece, 0, end - start, start);
      const last = piece.subarray(0, bytesRead).lastIndexOf(LINE_END);
      if (last >= 0) return start + last + 1;
      end = start;
    }
    return 0;
  } finally {
    await handle.close();
  }
}

/**
 * The journal of the signer: lines of JSON, each of which contains the hash of the line before. `append` resolves when the line is on the
 * disk. Lines that arrive while the disk is busy are written together.
 */
export class Journal {
  private waiting: Waiting[] = [];
  private isWriting = false;
  /** The head after the last line that waits or is written. */
  private next: JournalHead;
  /** The byte at which every `PAGE`th line begins, from the first one on. */
  private readonly starts: number[] = [];

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    /** The head after the last line that is on the disk. */
    private written: JournalHead,
    private size: number,
  ) {
    this.next = written;
  }

  /**
   * Opens the journal in the folder of the signer and verifies all of it. A torn last line, which a crash left, is cut off.
   *
   * @param onEntry Is called with every line.
   * @param onTorn Is called with the number of bytes that were cut off.
   * @throws Error that names the first line that is damaged, edited or missing.
   */
  static async open(
    directory: string,
    { onEntry, onTorn }: { onEntry: (entry: JournalEntry) => void; onTorn: (bytes: number) => void },
  ): Promise<Journal> {
    const file = signerJournalFile(directory);
    const starts: number[] = [];
    const { head, size, torn } = await verifyJournal(file, (entry, offset) => {
      if ((entry.number - 1) % PAGE === 0) starts.push(offset);
      onEntry(entry);
    });
    const handle = await open(file, "a", 0o600);
    await syncDirectory(directory);
    if (torn > 0) {
      await handle.truncate(size);
      await handle.sync();
      onTorn(torn);
    }
    const journal = new Journal(file, handle, head, size);
    journal.starts.push(...starts);
    return journal;
  }

  get head(): JournalHead {
    return this.written;
  }

  /** Adds a line. Resolves when it is on the disk. Throws a Refusal `unavailable` when it cannot be written; nothing of it is kept then. */
  append(content: EntryContent, now: Date): Promise<void> {
    const { line, head } = sealLine(this.next, content, now);
    this.next = head;
    return new Promise((resolve, reject) => {
      const done = (error?: Error) => (error === undefined ? resolve() : reject(error));
      this.waiting.push({ line, head, done });
      void this.write();
    });
  }

  private async write(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.writeBatch(batch);
        for (const { done } of batch) done();
      } catch (error) {
        this.forget([...batch, ...this.waiting], error);
      }
    }
    this.isWriting = false;
  }

  private async writeBatch(batch: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.from(batch.map(({ line }) => `${line}\n`).join(""));
    await this.requireSize(this.size);
    try {
      await this.handle.appendFile(bytes);
      await this.handle.datasync();
    } catch (error) {
      await this.handle.truncate(this.size); // for example on a full disk
      throw error;
    }
    await this.requireSize(this.size + bytes.length);
    for (const { line, head } of batch) {
      if ((head.number - 1) % PAGE === 0) this.starts.push(this.size);
      this.size += Buffer.byteLength(line) + 1;
      this.written = head;
    }
  }

  /** Throws an Error when the file has another size, because another program has changed it. */
  private async requireSize(expected: number): Promise<void> {
    if ((await this.handle.stat()).size !== expected) throw new Error("another program has changed the file.");
  }

  /** Refuses lines that could not be written, and those that followed them. */
  private forget(lines: readonly Waiting[], error: unknown): void {
    this.waiting = [];
    this.next = this.written;
    const reason = error instanceof Error ? error.message : String(error);
    for (const { done } of lines) done(new Refusal("unavailable", `The journal cannot be written: ${reason}`));
  }

  /** Returns a page of the lines after this number. */
  async page(after: number): Promise<JournalPage> {
    const last = this.written.number;
    const start = this.starts[Math.floor(after / PAGE)];
    if (after >= last || start === undefined) return { lines: [], hasMore: false };
    const lines: string[] = [];
    let number = Math.floor(after / PAGE) * PAGE;
    const input = createReadStream(this.file, { start, end: this.size - 1 });
    for await (const line of createInterface({ input })) {
      number += 1;
      if (number > after) lines.push(line);
      if (lines.length === PAGE) break;
    }
    input.destroy();
    return { lines, hasMore: after + lines.length < last };
  }

  /** Closes the file. */
  close(): Promise<void> {
    return this.handle.close();
  }
}

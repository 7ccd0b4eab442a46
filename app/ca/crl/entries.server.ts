/** The space in bytes that is reserved before the entries and after them. The other parts of a CRL need less than half of it. */
const MARGIN = 4096;

/**
 * The entries of a CRL, joined in one buffer with free space around them. `buildCrl` writes the other parts into that space, so that a CRL
 * of many megabytes is in memory only once.
 */
export class CrlEntries {
  private buffer: Buffer;
  private end = MARGIN;

  /** @param expectedBytes The size that the entries will probably have. The buffer grows when they are larger. */
  constructor(expectedBytes = 0) {
    this.buffer = Buffer.allocUnsafe(expectedBytes + 2 * MARGIN);
  }

  /** Appends entries: the `revokedEntryDer` of one, or of many joined together. */
  append(entries: Uint8Array): void {
    const end = this.end + entries.length;
    if (end + MARGIN > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.ceil(end * 1.25) + 2 * MARGIN);
      this.buffer.copy(larger, 0, 0, this.end);
      this.buffer = larger;
    }
    this.buffer.set(entries, this.end);
    this.end = end;
  }

  /** The number of bytes. */
  get size(): number {
    return this.end - MARGIN;
  }

  /** Returns the bytes from an offset on, as a view. */
  bytesFrom(offset: number): Uint8Array {
    return this.buffer.subarray(MARGIN + offset, this.end);
  }

  /** Writes bytes directly before and after the entries. Returns all of them as one view. Throws a RangeError when there is no space. */
  surround(before: Uint8Array, after: Uint8Array): Buffer {
    if (before.length > MARGIN || this.end + after.length > this.buffer.length)
      throw new RangeError("There is not enough space around the entries.");
    this.buffer.set(before, MARGIN - before.length);
    this.buffer.set(after, this.end);
    return this.buffer.subarray(MARGIN - before.length, this.end + after.length);
  }
}

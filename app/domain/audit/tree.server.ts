import { createHash } from "node:crypto";
import { setImmediate as rest } from "node:timers/promises";
import { getDb } from "~db/connection.server";
import { listChain } from "~db/repositories/audit-chain.server";
import { leafOf } from "./seals.server";
import { entryFault } from "./walk.server";

/** The number of entries that are read before other work gets its turn. */
const ROWS_AT_ONCE = 200;

const nodeOf = (left: Buffer, right: Buffer): Buffer =>
  createHash("sha256").update("\u0001").update(left).update(right).digest();

/**
 * Reads the hashes of the entries from `first` to `last`. Throws an Error when an entry is missing or is not what was sealed.
 */
export async function* readLeaves(first: number, last: number): AsyncGenerator<Buffer> {
  for (let next = first; next <= last; await rest()) {
    const rows = await listChain(getDb(), next, Math.min(ROWS_AT_ONCE, last - next + 1));
    for (const row of rows) {
      const fault = row.sequence === next ? entryFault(row) : "it is missing.";
      if (fault) throw new Error(`The audit trail is not sound. Entry ${next}: ${fault}`);
      yield leafOf(row);
      next += 1;
    }
    if (rows.length === 0) throw new Error(`The audit trail is not sound. Entry ${next}: it is missing.`);
  }
}

/**
 * Returns the root of the hash tree (RFC 9162 §2.1.1) over the entries from `first` to `last`. Only the roots of complete parts of the tree are kept
 * in memory, so it can have any number of entries.
 */
export async function readRoot(first: number, last: number): Promise<Buffer> {
  const parts: { size: number; hash: Buffer }[] = [];
  const join = () => {
    const [right, left] = [parts.pop(), parts.pop()];
    if (!left || !right) throw new Error("A hash tree needs an entry.");
    parts.push({ size: left.size + right.size, hash: nodeOf(left.hash, right.hash) });
  };
  for await (const hash of readLeaves(first, last)) {
    parts.push({ size: 1, hash });
    while (parts.length > 1 && parts.at(-1)?.size === parts.at(-2)?.size) join();
  }
  while (parts.length > 1) join();
  const [root] = parts;
  if (!root) throw new Error("A hash tree needs an entry.");
  return root.hash;
}

/** How many nodes of a tree are hashed before other work gets its turn. */
const NODES_AT_ONCE = 1000;

/** Returns the nodes above these, from left to right. The last one of an odd number is its own. */
async function levelAbove(level: readonly Buffer[]): Promise<Buffer[]> {
  const above: Buffer[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = level.slice(index, index + 2) as [Buffer, Buffer?];
    above.push(right ? nodeOf(left, right) : left);
    if (above.length % NODES_AT_ONCE === 0) await rest();
  }
  return above;
}

/** A hash tree with all its nodes, which gives the path of each leaf to the root. */
export class HashTree {
  private constructor(private readonly levels: readonly (readonly Buffer[])[]) {}

  /** Returns the tree over these leaves. */
  static async over(leaves: AsyncIterable<Buffer>): Promise<HashTree> {
    let level: Buffer[] = [];
    for await (const leaf of leaves) level.push(leaf);
    const levels = [level];
    for (; level.length > 1; levels.push(level)) level = await levelAbove(level);
    return new HashTree(levels);
  }

  get root(): Buffer | null {
    return this.levels.at(-1)?.[0] ?? null;
  }

  /** Returns the hashes beside the way from a leaf to the root, from the leaf on (RFC 9162 §2.1.3). */
  pathOf(index: number): Buffer[] {
    return this.levels.slice(0, -1).flatMap((level, height) => level[Math.floor(index / 2 ** height) ^ 1] ?? []);
  }
}

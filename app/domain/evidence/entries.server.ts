import { findKey } from "~/domain/audit/chain-keys.server";
import { HashTree, readLeaves } from "~/domain/audit/tree.server";
import { entryFault } from "~/domain/audit/walk.server";
import { PortalError } from "~/lib/errors";
import { getDb } from "~db/connection.server";
import { type AuditRow, type Checkpoint } from "~db/repositories/audit-chain.server";
import { findCheckpointFrom, listEntriesInOrder } from "~db/repositories/evidence.server";

/** How many entries are read before other work gets its turn. */
const ROWS_AT_ONCE = 200;

/** A checkpoint that proves entries, with the tree of all entries that it covers. */
interface Proof {
  checkpoint: Checkpoint & { firstSequence: number; root: Buffer };
  tree: HashTree;
}

export const unsound = (message: string) =>
  new PortalError(`No evidence pack can be made, because the audit trail is not sound. ${message}`, {
    code: "audit.unsound",
    status: 409,
  });

const hex = (bytes: Buffer | null) => bytes?.toString("hex") ?? null;

/** Writes the audit entries of a pack with what proves each of them. */
export class EntryLines {
  private proof: Proof | null = null;
  /** The checkpoints that prove entries, by their sequence numbers. */
  readonly checkpoints = new Map<number, Proof["checkpoint"]>();
  /** The sequence numbers of the entries, as first and last numbers of the parts without gaps. */
  readonly ranges: [number, number][] = [];
  count = 0;

  /** Returns the proof for the entry at this place of the chain. Null when its checkpoint has no tree, or the key of it is gone. */
  private async findProof(sequence: number): Promise<Proof | null> {
    const known = this.proof?.checkpoint;
    if (known && known.firstSequence <= sequence && sequence <= known.sequence) return this.proof;
    const checkpoint = await findCheckpointFrom(getDb(), sequence);
    const { firstSequence = null, root = null, keyId = "" } = checkpoint ?? {};
    if (!checkpoint || firstSequence === null || root === null || firstSequence > sequence || !findKey(keyId))
      return null;
    const tree = await HashTree.over(readLeaves(firstSequence, checkpoint.sequence));
    if (!tree.root?.equals(root)) throw unsound(`The tree of the checkpoint at entry ${checkpoint.sequence} differs.`);
    this.proof = { checkpoint: { ...checkpoint, firstSequence, root }, tree };
    this.checkpoints.set(checkpoint.sequence, this.proof.checkpoint);
    return this.proof;
  }

  private note(sequence: number) {
    const last = this.ranges.at(-1);
    if (last?.[1] === sequence - 1) last[1] = sequence;
    else this.ranges.push([sequence, sequence]);
    this.count += 1;
  }

  private async lineOf(row: AuditRow): Promise<string> {
    const { searchText: _, previous, mac, commitment, salt, erasedSeal, ...entry } = row;
    const fault = row.sequence === null ? "it has no place in the chain." : entryFault(row);
    if (row.sequence === null || fault) throw unsound(`Entry ${row.sequence ?? ""} (id ${row.id}): ${fault}`);
    this.note(row.sequence);
    const proof = await this.findProof(row.sequence);
    const line = {
      ...entry,
      previous: hex(previous),
      mac: hex(mac),
      commitment: hex(commitment),
      salt: hex(salt),
      isErased: erasedSeal !== null,
      checkpoint: proof?.checkpoint.sequence ?? null,
      path: proof?.tree.pathOf(row.sequence - proof.checkpoint.firstSequence).map(hex) ?? [],
    };
    return `${JSON.stringify(line)}\n`;
  }

  /** Yields the lines of these entries, batch by batch. Throws a PortalError when an entry is not what was sealed. */
  async *of(ids: readonly number[]): AsyncGenerator<string> {
    for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
      const lines: string[] = [];
      for (const row of await listEntriesInOrder(getDb(), ids.slice(at, at + ROWS_AT_ONCE)))
        lines.push(await this.lineOf(row));
      yield lines.join("");
    }
  }
}

import { type Checkpoint } from "~db/repositories/audit-chain.server";
import { findKey } from "./chain-keys.server";
import { readCheckpointFile } from "./checkpoint-file.server";
import { nowhere, type TrailProblem } from "./problems";
import { isCheckpointGenuine } from "./seals.server";

/** A checkpoint with a valid signature, and where it was found. */
export interface FoundCheckpoint {
  sequence: number;
  at: string;
  mac: Buffer;
  from: string;
}

interface Sources {
  /** The checkpoints in the database. */
  stored: readonly Checkpoint[];
  files: readonly string[];
  /** Checkpoints in files before this sequence number are skipped. */
  from: number;
  onProblem: (problem: TrailProblem) => void;
}

const placeOf = ({ sequence }: Checkpoint) => ({ ...nowhere, sequence });

/** Returns why a checkpoint does not count, or null when it does. */
function checkpointFault(checkpoint: Checkpoint): string | null {
  const key = findKey(checkpoint.keyId);
  if (!key) return `is signed with the key '${checkpoint.keyId}', which is not among AUDIT_KEYS`;
  return isCheckpointGenuine(key, checkpoint) ? null : "is not what was signed: changed or forged";
}

/** Returns all checkpoints with a valid signature, by sequence number. Reports the others, and those that the database has lost. */
export async function readCheckpoints({ stored, files, from, onProblem }: Sources): Promise<FoundCheckpoint[]> {
  const found: FoundCheckpoint[] = [];
  const take = (checkpoint: Checkpoint, source: string): boolean => {
    const fault = checkpointFault(checkpoint);
    if (fault) onProblem({ place: placeOf(checkpoint), message: `${source} ${fault}.` });
    else found.push({ sequence: checkpoint.sequence, at: checkpoint.at, mac: checkpoint.mac, from: source });
    return !fault;
  };
  for (const checkpoint of stored) take(checkpoint, "the checkpoint in the database");
  const known = new Set(stored.map(({ sequence }) => sequence));
  for (const file of files)
    for await (const { number, checkpoint } of readCheckpointFile(file)) {
      const source = `the checkpoint in line ${number} of ${file}`;
      if (!checkpoint) onProblem({ place: nowhere, message: `Line ${number} of ${file} is no checkpoint.` });
      else if (checkpoint.sequence >= from && take(checkpoint, source) && !known.has(checkpoint.sequence))
        onProblem({ place: placeOf(checkpoint), message: `${source} is not in the database: removed there.` });
    }
  return found.sort((a, b) => a.sequence - b.sequence);
}

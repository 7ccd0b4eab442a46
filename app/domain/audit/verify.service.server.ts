import { setImmediate as rest } from "node:timers/promises";
import { getDb } from "~db/connection.server";
import {
  type AuditHead,
  findHead,
  findLastCheckpoint,
  listChain,
  listCheckpoints,
  listOutside,
} from "~db/repositories/audit-chain.server";
import { findKey } from "./chain-keys.server";
import { checkpointFile } from "./checkpoint-file.server";
import { readCheckpoints } from "./checkpoints-found.server";
import { reportUnlisted, verifyErasures } from "./erasures-found.server";
import { nowhere, type TrailProblem } from "./problems";
import { isHeadGenuine } from "./seals.server";
import { entryFault, placeOf, unknownKey, Walk } from "./walk.server";

/** The number of entries that are verified, in about 10 ms, before other work gets its turn. */
const ROWS_AT_ONCE = 200;

export interface Verification {
  /** The number of sealed entries that were verified. */
  entries: number;
  /** The number of verified checkpoints, in the database and in files. */
  checkpoints: number;
  /** The last entry of the chain that was verified, or null when there is none. */
  last: { sequence: number; mac: Buffer } | null;
}

export interface VerifyOptions {
  /** Verify only what follows the checkpoint with this sequence number. The trail up to it has been verified before. */
  from?: number;
  /** Further files with checkpoints, such as a copy from another machine. */
  files?: readonly string[];
  onProblem: (problem: TrailProblem) => void;
}

function checkHead(head: AuditHead, walk: Walk, report: VerifyOptions["onProblem"]): void {
  const key = findKey(head.keyId);
  const place = { sequence: head.sequence, entryId: head.entryId, at: null };
  const isFresh = head.sequence === 0 && head.keyId === "";
  if (isFresh) return;
  if (!key) report({ place, message: `the head of the trail: ${unknownKey(head.keyId)}` });
  else if (!isHeadGenuine(key, head))
    report({ place, message: "the head of the trail is not what was sealed: the end was cut off or put back." });
  else if (walk.at === head.sequence && walk.last?.mac && !walk.last.mac.equals(head.mac) && !entryFault(walk.last))
    report({ place, message: "the head of the trail was sealed over another entry: replaced." });
}

/** Reports entries that the portal did not add: they have no position in the chain, or one after the head. */
async function reportStrangers(head: AuditHead, walk: Walk, report: VerifyOptions["onProblem"]): Promise<void> {
  if (walk.at > head.sequence)
    report({
      place: { sequence: walk.at, entryId: walk.last?.id ?? null, at: walk.last?.at ?? null },
      message: `the head of the trail ends at ${head.sequence}: inserted behind it, or the head was put back.`,
    });
  let after = 0;
  for (;;) {
    const rows = await listOutside(getDb(), after, ROWS_AT_ONCE);
    for (const row of rows) report({ place: placeOf(row), message: "it has no place in the chain: inserted." });
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return;
    after = last.id;
  }
}

/** Verifies the entries up to this sequence number in batches, so that other work gets its turn. */
async function follow(walk: Walk, until: number, report: VerifyOptions["onProblem"]): Promise<void> {
  while (walk.at < until) {
    const rows = await listChain(getDb(), walk.at + 1, ROWS_AT_ONCE);
    const wanted = rows.filter(({ sequence }) => (sequence ?? 0) <= until);
    for (const row of wanted) walk.step(row);
    await reportUnlisted(wanted, report);
    if (wanted.length < ROWS_AT_ONCE) return;
    await rest();
  }
}

/**
 * Verifies the audit trail. Each entry is compared with its seal (HMAC-SHA-256), its position, the previous entry, and the signed
 * checkpoints of the database, of DATA_DIR and of further files, and the lists of erased entries with the entries that seal them. Reports each problem with its position. Entries may be added in the
 * meantime.
 */
export async function verifyTrail({ from = 0, files = [], onProblem }: VerifyOptions): Promise<Verification> {
  const stored = await listCheckpoints(getDb(), from);
  const checkpoints = await readCheckpoints({ stored, files: [checkpointFile(), ...files], from, onProblem });
  const walk = new Walk(from, checkpoints, onProblem);
  const outcome = () => ({ entries: walk.entries, checkpoints: checkpoints.length, last: walk.lastSeal });
  if (from > 0) {
    const [row] = await listChain(getDb(), from, 1);
    if (row?.sequence === from) walk.begin(row);
    else onProblem({ place: { ...nowhere, sequence: from }, message: "it is missing: removed." });
  }
  await follow(walk, Infinity, onProblem);
  // The head is read after the entries, so that it is never behind them, whatever is added in the meantime.
  const head = await findHead(getDb());
  if (!head) {
    onProblem({ place: nowhere, message: "The head of the audit trail is missing: removed." });
    return outcome();
  }
  await follow(walk, head.sequence, onProblem);
  walk.end(head);
  checkHead(head, walk, onProblem);
  await reportStrangers(head, walk, onProblem);
  await verifyErasures(onProblem);
  return outcome();
}

/** Verifies what was added since the last checkpoint. */
export async function verifyLatest(onProblem: VerifyOptions["onProblem"]): Promise<Verification> {
  const checkpoint = await findLastCheckpoint(getDb());
  return verifyTrail({ from: checkpoint?.sequence ?? 0, onProblem });
}

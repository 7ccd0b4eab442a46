import { log } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { findLastCheckpoint, insertCheckpoint } from "~db/repositories/audit-chain.server";
import { findSetting, PORTAL, putSetting } from "~db/repositories/settings.server";
import { inTransaction } from "~db/transaction.server";
import { newestKey } from "./chain-keys.server";
import { appendToCheckpointFile, mendCheckpointFile, toLine } from "./checkpoint-file.server";
import { problemText, type TrailProblem } from "./problems";
import { signCheckpoint } from "./seals.server";
import { readRoot } from "./tree.server";
import { type Verification, verifyLatest, verifyTrail } from "./verify.service.server";

/** The number of problems for which a job's row has room. */
const MOST_NAMED = 3;

/** The verifications of the trail: what is new since the last checkpoint, and all of it. */
export const VERIFICATIONS = ["latest", "whole"] as const;
type VerificationName = (typeof VERIFICATIONS)[number];

const settingOf = (name: VerificationName) => ({ name: `audit.problems-${name}`, userId: PORTAL });

/** Returns how many problems each verification found when it last ran. A verification that has not run yet is omitted. */
export async function listVerifications(): Promise<{ name: VerificationName; problems: number }[]> {
  const found = await Promise.all(
    VERIFICATIONS.map(async (name) => ({ name, problems: await findSetting(getDb(), settingOf(name)) })),
  );
  return found.flatMap(({ name, problems }) => (problems === null ? [] : [{ name, problems: Number(problems) }]));
}

/** Stores how many problems a verification found. Throws an Error that names the first ones, if there are any. */
async function requireSound(
  name: VerificationName,
  now: Date,
  verify: (onProblem: (problem: TrailProblem) => void) => Promise<Verification>,
): Promise<Verification> {
  const problems: string[] = [];
  let count = 0;
  const verification = await verify((problem) => {
    count += 1;
    if (problems.length < MOST_NAMED) problems.push(problemText(problem));
  });
  await inTransaction((trx) => putSetting(trx, settingOf(name), String(count), now));
  if (count > 0) throw new Error(`The audit trail is not sound (problems: ${count}). ${problems.join(" ")}`);
  return verification;
}

/** Signs the end of the chain and the tree of the entries from `firstSequence` on. The checkpoint is stored in the database and in DATA_DIR/audit, and is logged. */
async function signAt(last: NonNullable<Verification["last"]>, firstSequence: number, now: Date): Promise<void> {
  const key = newestKey();
  const root = await readRoot(firstSequence, last.sequence);
  const statement = { ...last, at: now.toISOString(), keyId: key.id, firstSequence, root };
  const checkpoint = { ...statement, signature: signCheckpoint(key, statement) };
  if (!(await insertCheckpoint(getDb(), checkpoint))) return;
  await appendToCheckpointFile(checkpoint);
  log().info({ auditCheckpoint: toLine(checkpoint) }, "audit checkpoint");
}

/**
 * Verifies what was added to the audit trail since the last checkpoint, and signs the next checkpoint if there is anything new. Returns the
 * outcome in words. Throws an Error, and signs nothing, when the trail is not sound.
 */
export async function verifyAndSign(now = new Date()): Promise<string> {
  await mendCheckpointFile();
  const { last, entries } = await requireSound("latest", now, verifyLatest);
  if (!last) return "no entries yet";
  const signed = await findLastCheckpoint(getDb());
  if (signed && signed.sequence >= last.sequence) return `sound up to entry ${last.sequence}, nothing new`;
  await signAt(last, (signed?.sequence ?? 0) + 1, now);
  return `sound up to entry ${last.sequence}, ${entries} new, checkpoint signed`;
}

/** Verifies the whole audit trail. Returns the outcome in words. Throws an Error when the trail is not sound. */
export async function verifyWhole(now = new Date()): Promise<string> {
  const { entries, checkpoints } = await requireSound("whole", now, (onProblem) => verifyTrail({ onProblem }));
  return `sound: ${entries} entries, ${checkpoints} checkpoints`;
}

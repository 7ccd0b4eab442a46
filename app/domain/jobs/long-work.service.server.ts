import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { may } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { personName } from "~/domain/companies/people.server";
import { newDraftId, parseDraft, saveDraft, storeDraft, type Wizard } from "~/domain/drafts/drafts.service.server";
import { DAY } from "~/lib/dates";
import { GENERIC_ERROR, isPortalError, notFound } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { findDraftOfAnybody } from "~db/repositories/drafts.server";
import { findUserById } from "~db/repositories/users.server";
import { type LongWorkKind, WORK_KINDS, type WorkOutcome } from "./long-work";

/**
 * Work that can take long. Short work is answered as if there were no progress: nothing is stored about it. Only when it takes longer than
 * `patienceMs` does it get a page, which reads what the process that does the work stores every second.
 */

/** How long the answer waits for the end of the work, in milliseconds. Tests replace it, because machines are slow at times. */
export const patienceMs = memoize(() => 2000);

/** How often the process that does the work stores how far it is. */
const BEAT_MS = 1000;

/** How long after the last report the work counts as lost: its process has ended. */
export const LOST_AFTER_MS = 60_000;

/** How often a report is tried again when the database does not take it. */
const MOST_FAILURES = 60;

const stored: Wizard<{
  kind: LongWorkKind;
  total: number | null;
  done: number;
  beganAt: string;
  /** When the process that does the work last reported. */
  reportedAt: string;
  /** Where to go on. */
  next: { to: string; label: string };
  outcome: WorkOutcome | null;
  /** Why the work failed, for people, or null. */
  problem: string | null;
}> = {
  kind: "long-work",
  schema: z.object({
    kind: z.enum(Object.keys(WORK_KINDS) as [LongWorkKind, ...LongWorkKind[]]),
    total: z.number().nullable(),
    done: z.number(),
    beganAt: z.string(),
    reportedAt: z.string(),
    next: z.object({ to: z.string(), label: z.string() }),
    outcome: z.custom<WorkOutcome>().nullable(),
    problem: z.string().nullable(),
  }),
  lifetime: DAY,
};

export interface LongWork<Outcome> {
  kind: LongWorkKind;
  /** How many things there are to do, or null when nobody can say how far the work is. */
  total?: number;
  /** Where to go on after it. */
  next: { to: string; label: string };
  /** Does the work. Calls `onEach` after each of the things to do. */
  run: (onEach: () => void) => Promise<Outcome>;
  /** Returns what the page of the work says afterwards. */
  toOutcome: (outcome: Outcome) => WorkOutcome;
}

/** The work of this process that has not ended and has a page. */
const open = memoize(() => new Set<Promise<void>>());

/** Resolves when all work of this process has ended. A process that is asked to stop waits for it. */
export const longWorkEnded = async (): Promise<void> => void (await Promise.all(open()));

type Ended = { outcome: WorkOutcome } | { problem: string };

function failed(error: unknown): Ended {
  if (isPortalError(error)) return { problem: error.message };
  logError(error);
  return { problem: GENERIC_ERROR };
}

/** Stores every second how far the work is, and at last how it ended. Never throws. */
async function report(userId: number, id: string, ended: Promise<Ended>, done: () => number): Promise<void> {
  for (let failures = 0; failures < MOST_FAILURES;) {
    const end = await Promise.race([ended, sleep(BEAT_MS, null, { ref: false })]);
    try {
      const now = { done: done(), reportedAt: new Date().toISOString() };
      await saveDraft(userId, { id, wizard: stored }, (data) => ({ ...data, ...now, ...end }));
      if (end) return;
    } catch (error) {
      failures += 1;
      logError(error);
      if (end) await sleep(BEAT_MS, null, { ref: false });
    }
  }
}

/**
 * Does work that can take long. Returns its result when it ends within `patienceMs`. Otherwise the work goes on, and the id of its page is
 * returned. Throws what the work throws within that time.
 */
export async function runLongWork<Result>(
  userId: number,
  { kind, total, next, run, toOutcome }: LongWork<Result>,
): Promise<{ result: Result } | { id: string }> {
  const beganAt = new Date();
  let done = 0;
  const running = run(() => (done += 1));
  const first = await Promise.race([running.then((result) => ({ result })), sleep(patienceMs(), null, { ref: false })]);
  if (first) return first;
  const ended = running.then((result) => ({ outcome: toOutcome(result) })).catch(failed);
  const id = newDraftId();
  const counts = { total: total ?? null, done, beganAt: beganAt.toISOString(), reportedAt: new Date().toISOString() };
  const data = { kind, ...counts, next, outcome: null, problem: null };
  await storeDraft(getDb(), stored, { id, userId, data }, new Date());
  const reporting = report(userId, id, ended, () => done).finally(() => open().delete(reporting));
  open().add(reporting);
  return { id };
}

/**
 * Returns what the page of long work shows. It is for whoever began the work and for administrators, who must still have the right to it.
 * Throws a PortalError (404) for everybody else, and a day after the last report.
 */
export async function loadLongWork(user: SessionUser, id: string, now = new Date()) {
  const row = await findDraftOfAnybody(getDb(), { id, kind: stored.kind }, now);
  const data = row && (user.isAdmin || row.userId === user.id) ? parseDraft(stored, row)?.data : null;
  if (!row || !data || !may(user, WORK_KINDS[data.kind].task)) throw notFound();
  const starter = row.userId === user.id ? null : await findUserById(getDb(), row.userId);
  const hasEnded = data.outcome !== null || data.problem !== null;
  const isLost = !hasEnded && Math.abs(now.getTime() - Date.parse(data.reportedAt)) > LOST_AFTER_MS;
  const state = hasEnded ? ("ended" as const) : isLost ? ("lost" as const) : ("running" as const);
  return { ...data, state, startedBy: starter && personName(starter) };
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { Piscina } from "piscina";
import { memoize } from "~/lib/memoize.server";
import type * as tasks from "./tasks";

type Tasks = typeof tasks;

/** How long an idle worker keeps its fonts and shaped texts, in milliseconds, until its memory is freed. */
const IDLE_MS = 60_000;

/** The most documents that wait for a worker in this process. More of them would only take memory: jobs make them in small portions. */
const MOST_WAITING = 1000;

const PROGRAM = resolve("build/worker.js");

/** Returns the hash of the program that runs in the workers. A document that is kept for later starts is made again when it has changed. */
export const workerVersion = memoize(() => createHash("sha256").update(readFileSync(PROGRAM)).digest("hex"));

/** The workers of this process. They are not a memoized value, because they hold nothing that belongs to one portal. */
let pool: Piscina | undefined;

const openPool = () =>
  new Piscina({
    filename: PROGRAM,
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    maxQueue: MOST_WAITING,
    idleTimeout: IDLE_MS,
  });

/**
 * Runs a task in a worker thread of lower priority, so that requests do not wait for it. Returns its result. Throws what the task throws.
 *
 * @param name The name of the task in `tasks.ts`.
 * @param input Plain data, which is copied to the thread, except shared memory.
 */
export async function inWorker<Name extends keyof Tasks>(
  name: Name,
  ...[input]: Parameters<Tasks[Name]>
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  pool ??= openPool();
  const result: unknown = await pool.run(input, { name });
  // A Buffer arrives as the Uint8Array that it is.
  const isBytes = result instanceof Uint8Array;
  const whole = isBytes ? Buffer.from(result.buffer, result.byteOffset, result.byteLength) : result;
  return whole as Awaited<ReturnType<Tasks[Name]>>;
}

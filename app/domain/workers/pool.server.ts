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

/** The argument that `tasks.ts` understands. */
const LOW_PRIORITY = "--low-priority";

/** Returns the hash of the program that runs in the workers. A document that is kept for later starts is made again when it has changed. */
export const workerVersion = memoize(() => createHash("sha256").update(readFileSync(PROGRAM)).digest("hex"));

/** The tasks whose results nobody waits for. The others are part of a request. */
const UNHURRIED: readonly (keyof Tasks)[] = [
  "auditCaCertificate",
  "auditCertificates",
  "auditStoredCrl",
  "invoicePdf",
  "proveProductOf",
  "readEnds",
  "readKeys",
  "writtenPdf",
];

/**
 * The workers of this process, by whether they run unhurried tasks. They are not a memoized value, because they hold nothing that belongs to
 * one portal.
 */
const pools = new Map<boolean, Piscina>();

const openPool = (isUnhurried: boolean) =>
  new Piscina({
    filename: PROGRAM,
    argv: isUnhurried ? [LOW_PRIORITY] : [],
    minThreads: 0,
    // A request waits for hurried work, so all cores may do it. Unhurried work leaves one to the requests.
    maxThreads: isUnhurried ? Math.max(1, availableParallelism() - 1) : availableParallelism(),
    maxQueue: MOST_WAITING,
    idleTimeout: IDLE_MS,
  });

function poolFor(name: keyof Tasks): Piscina {
  const isUnhurried = UNHURRIED.includes(name);
  const pool = pools.get(isUnhurried) ?? openPool(isUnhurried);
  pools.set(isUnhurried, pool);
  return pool;
}

/**
 * Runs a task in a worker thread, so that other requests do not wait for it. Threads for unhurried tasks have a lower priority. Returns the
 * task's result. Throws what the task throws.
 *
 * @param name The name of the task in `tasks.ts`.
 * @param input Plain data, which is copied to the thread, except shared memory.
 */
export async function inWorker<Name extends keyof Tasks>(
  name: Name,
  ...[input]: Parameters<Tasks[Name]>
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  const result: unknown = await poolFor(name).run(input, { name });
  // A Buffer arrives as the Uint8Array that it is.
  const isBytes = result instanceof Uint8Array;
  const whole = isBytes ? Buffer.from(result.buffer, result.byteOffset, result.byteLength) : result;
  return whole as Awaited<ReturnType<Tasks[Name]>>;
}

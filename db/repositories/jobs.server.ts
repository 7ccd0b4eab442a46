import { type ExpressionBuilder } from "kysely";
import { withTolerance } from "~/lib/clock";
import { type DbOrTrx } from "../connection.server";
import { type Database, type Row } from "../tables";

export type Job = Row<"jobs">;

/** Makes rows for jobs that have none; they are due at once. */
export async function insertMissingJobs(db: DbOrTrx, names: readonly string[], now: Date): Promise<void> {
  await db
    .insertInto("jobs")
    .values(names.map((name) => ({ name, nextRunAt: now })))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

export interface JobLease {
  name: string;
  owner: string;
  now: Date;
  /** End of the lease; also tells how long leases are. */
  until: Date;
  /** The latest next run that the schedule allows: one after it was set by a clock that was wrong, and the job is due. */
  latest?: Date;
}

/** Not leased, or a lease that has ended or ends later than any can. */
const isFree = (eb: ExpressionBuilder<Database, "jobs">, { now, until }: Pick<JobLease, "now" | "until">) =>
  eb.or([
    eb("leasedUntil", "is", null),
    eb("leasedUntil", "<=", now.toISOString()),
    eb("leasedUntil", ">", withTolerance(until).toISOString()),
  ]);

const isDue = (eb: ExpressionBuilder<Database, "jobs">, { now, latest }: Pick<JobLease, "now" | "latest">) =>
  eb.or([eb("nextRunAt", "<=", now.toISOString()), ...(latest ? [eb("nextRunAt", ">", latest.toISOString())] : [])]);

/** Leases a job. Out: false when it is not due (unless `force`d) or somebody else holds it. */
export async function claimJob(db: DbOrTrx, lease: JobLease, force = false): Promise<boolean> {
  let query = db
    .updateTable("jobs")
    .set({ leasedUntil: lease.until, leasedBy: lease.owner, lastStartedAt: lease.now })
    .where("name", "=", lease.name)
    .where((eb) => isFree(eb, lease));
  if (!force) query = query.where((eb) => isDue(eb, lease));
  const { numUpdatedRows } = await query.executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Prolongs a lease that is still the owner's. */
export async function prolongJob(
  db: DbOrTrx,
  { name, owner, until }: Pick<JobLease, "name" | "owner" | "until">,
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ leasedUntil: until })
    .where("name", "=", name)
    .where("leasedBy", "=", owner)
    .execute();
}

export interface JobOutcome {
  name: string;
  owner: string;
  now: Date;
  nextRunAt: Date;
  durationMs: number;
  result: string | null;
  /** What went wrong; null when nothing did. */
  error: string | null;
}

/** Longest text that a row has room for. */
const LONGEST_TEXT = 500;

const shortened = (text: string | null) => text?.slice(0, LONGEST_TEXT) ?? null;

/** Notes how a run ended and gives the job back; nothing happens when the lease has passed to somebody else. */
export async function finishJob(
  db: DbOrTrx,
  { name, owner, now, nextRunAt, durationMs, result, error }: JobOutcome,
): Promise<void> {
  const failure = shortened(error);
  await db
    .updateTable("jobs")
    .set({
      nextRunAt,
      leasedUntil: null,
      leasedBy: null,
      lastFinishedAt: now,
      lastResult: shortened(result),
      lastError: failure,
      lastDurationMs: Math.round(durationMs),
    })
    .$if(failure === null, (query) => query.set({ lastSucceededAt: now }))
    .$if(failure !== null, (query) =>
      query.set((eb) => ({ lastFailedAt: now, lastFailure: failure, failures: eb("failures", "+", 1) })),
    )
    .where("name", "=", name)
    .where("leasedBy", "=", owner)
    .execute();
}

export const listJobs = (db: DbOrTrx): Promise<Job[]> => db.selectFrom("jobs").selectAll().orderBy("name").execute();

/** How many of these jobs failed when they last ran. */
export async function countFailedJobs(db: DbOrTrx, names: readonly string[]): Promise<number> {
  const failed = db.selectFrom("jobs").where("name", "in", names).where("lastError", "is not", null);
  return (await failed.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

import { type ExpressionBuilder } from "kysely";
import { withTolerance } from "~/lib/clock";
import { type DbOrTrx } from "../connection.server";
import { type Database, type Row } from "../tables";

export type Job = Row<"jobs">;

/** Inserts rows for jobs that have none. They are due at once. */
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
  /** End of the lease. The code also derives from it how late a lease can end. */
  until: Date;
  /** The latest next run that the schedule allows. A later next run was set by a wrong clock, and the job is due. */
  latest?: Date;
}

/** Returns an expression for whether the job has no lease, or one that has ended or ends later than any lease can. */
const isFree = (eb: ExpressionBuilder<Database, "jobs">, { now, until }: Pick<JobLease, "now" | "until">) =>
  eb.or([
    eb("leasedUntil", "is", null),
    eb("leasedUntil", "<=", now.toISOString()),
    eb("leasedUntil", ">", withTolerance(until).toISOString()),
  ]);

const isDue = (eb: ExpressionBuilder<Database, "jobs">, { now, latest }: Pick<JobLease, "now" | "latest">) =>
  eb.or([eb("nextRunAt", "<=", now.toISOString()), ...(latest ? [eb("nextRunAt", ">", latest.toISOString())] : [])]);

/** Leases a job. Returns false when somebody else holds it, or when it is not due and `force` is not set. */
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

/** Extends a lease if it still belongs to the owner. */
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
  /** The error message, or null when the run succeeded. */
  error: string | null;
}

/** The longest text that is stored, in characters. */
const LONGEST_TEXT = 500;

const shortened = (text: string | null) => text?.slice(0, LONGEST_TEXT) ?? null;

/** Records how a run ended and releases the job. Does nothing when somebody else holds the lease now. */
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

const failedJobs = (db: DbOrTrx, names: readonly string[]) =>
  db.selectFrom("jobs").where("name", "in", names).where("lastError", "is not", null);

/** Returns those of these jobs that failed at their last run, the one whose last success is the longest ago first. */
export const listFailedJobs = (db: DbOrTrx, names: readonly string[]) =>
  failedJobs(db, names).selectAll().orderBy("lastSucceededAt").orderBy("name").execute();

/** Returns how many of these jobs failed when they last ran. */
export async function countFailedJobs(db: DbOrTrx, names: readonly string[]): Promise<number> {
  return (
    await failedJobs(db, names)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  ).count;
}

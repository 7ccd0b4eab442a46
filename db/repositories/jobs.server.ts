import { type DbOrTrx } from "../connection.server";
import { type Row } from "../tables";

export type Job = Row<"jobs">;

/** Makes rows for jobs that have none; they are due at once. */
export async function insertMissingJobs(db: DbOrTrx, names: readonly string[], now: Date): Promise<void> {
  await db
    .insertInto("jobs")
    .values(names.map((name) => ({ name, nextRunAt: now })))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

/** Names of the jobs that are due and that no living lease holds. */
export async function listDueJobs(db: DbOrTrx, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("jobs")
    .select("name")
    .where("nextRunAt", "<=", now.toISOString())
    .where((eb) => eb.or([eb("leasedUntil", "is", null), eb("leasedUntil", "<=", now.toISOString())]))
    .orderBy("nextRunAt")
    .execute();
  return rows.map((row) => row.name);
}

export interface JobLease {
  name: string;
  owner: string;
  now: Date;
  until: Date;
}

/** Leases a job. Out: false when it is not due (unless `force`d) or somebody else holds it. */
export async function claimJob(db: DbOrTrx, { name, owner, now, until }: JobLease, force = false): Promise<boolean> {
  let query = db
    .updateTable("jobs")
    .set({ leasedUntil: until, leasedBy: owner, lastStartedAt: now })
    .where("name", "=", name)
    .where((eb) => eb.or([eb("leasedUntil", "is", null), eb("leasedUntil", "<=", now.toISOString())]));
  if (!force) query = query.where("nextRunAt", "<=", now.toISOString());
  const { numUpdatedRows } = await query.executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Prolongs a lease that is still the owner's. */
export async function prolongJob(db: DbOrTrx, { name, owner, until }: Omit<JobLease, "now">): Promise<void> {
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
  result: string | null;
  error: string | null;
}

/** Notes how a run ended and gives the job back; nothing happens when the lease has passed to somebody else. */
export async function finishJob(
  db: DbOrTrx,
  { name, owner, now, nextRunAt, result, error }: JobOutcome,
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({
      nextRunAt,
      leasedUntil: null,
      leasedBy: null,
      lastFinishedAt: now,
      lastResult: result?.slice(0, 500) ?? null,
      lastError: error?.slice(0, 500) ?? null,
    })
    .where("name", "=", name)
    .where("leasedBy", "=", owner)
    .execute();
}

export const listJobs = (db: DbOrTrx): Promise<Job[]> => db.selectFrom("jobs").selectAll().orderBy("name").execute();

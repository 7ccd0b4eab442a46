import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { runJob } from "~/domain/jobs/run.service.server";
import { renewResponders } from "~/domain/ocsp/responders.service.server";
import { getDb } from "~db/connection.server";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const after = (from: Date, ms: number) => new Date(from.getTime() + ms);

/**
 * Publishes all CRLs and makes the OCSP responders, so that nothing is wrong with a portal of the tests. Responders do not begin before their
 * CA, which is as old as the run of the tests. They are stored as if it were older.
 */
export async function makeSound(now: Date): Promise<void> {
  for (const name of ["root", "root-g3", "issuing-sha2", "issuing-g3"] as const)
    await publishCrls(name, now, { allowRoot: true });
  await renewResponders(now, { force: true });
  await getDb()
    .updateTable("ocspResponders")
    .set({ notBefore: now })
    .where("notBefore", ">", now.toISOString())
    .execute();
}

/** Runs the job of the alerts at this time, and makes the portal forget when its jobs ran. Returns the faults that hold, sorted. */
export async function faultsAt(now: Date): Promise<string[]> {
  const report = await runJob("alerts", "test", now);
  if (report?.error) throw report.error;
  await getDb().deleteFrom("jobs").execute();
  const rows = await getDb().selectFrom("alerts").selectAll().where("lastHeldAt", "=", now.toISOString()).execute();
  return rows.map(({ rule, subject }) => (subject ? `${rule} ${subject}` : rule)).sort();
}

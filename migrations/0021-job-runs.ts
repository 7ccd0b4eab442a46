import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** What is kept of a job's runs besides how the last one ended: how long it took, the last success, the last failure, and how many failed. */
export const jobRuns = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    const add = (name: string, columnType: Parameters<ReturnType<AnyDb["schema"]["alterTable"]>["addColumn"]>[1]) =>
      db.schema.alterTable("jobs").addColumn(name, columnType).execute();
    await add("last_duration_ms", "integer");
    await add("last_succeeded_at", type.moment);
    await add("last_failed_at", type.moment);
    await add("last_failure", "varchar(500)");
    await db.schema
      .alterTable("jobs")
      .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});

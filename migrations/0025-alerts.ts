import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the table of what is or was wrong with the portal, with at most one open row for each rule and subject. */
export const alerts = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("alerts")
      .addColumn("id", "integer", type.id)
      .addColumn("rule", "varchar(60)", (c) => c.notNull())
      .addColumn("subject", "varchar(60)", (c) => c.notNull())
      .addColumn("held_since", type.moment, (c) => c.notNull())
      .addColumn("last_held_at", type.moment, (c) => c.notNull())
      .addColumn("begun_at", type.moment)
      .addColumn("ended_at", type.moment)
      .addColumn("told", "varchar(10)")
      .addColumn("told_at", type.moment)
      .execute();
    await sql`create unique index alerts_open on alerts (rule, subject) where ended_at is null`.execute(db);
  },
});

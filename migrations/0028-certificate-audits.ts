import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the tables of the nightly audit: its runs, with how far each has come, and what it found. */
export const certificateAudits = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("certificate_audits")
      .addColumn("id", "integer", type.id)
      .addColumn("started_at", type.moment, (c) => c.notNull())
      .addColumn("finished_at", type.moment)
      .addColumn("after_id", "integer", (c) => c.notNull())
      .addColumn("checked", "integer", (c) => c.notNull())
      .execute();
    await db.schema
      .createTable("audit_findings")
      .addColumn("id", "integer", type.id)
      .addColumn("rule", "varchar(40)", (c) => c.notNull())
      .addColumn("subject", "varchar(80)", (c) => c.notNull())
      .addColumn("certificate_id", "integer")
      .addColumn("cause", "text", (c) => c.notNull())
      .addColumn("first_seen_at", type.moment, (c) => c.notNull())
      .addColumn("last_seen_at", type.moment, (c) => c.notNull())
      .addColumn("audit_id", "integer", (c) => c.notNull().references("certificate_audits.id"))
      .addColumn("settled_at", type.moment)
      .execute();
    await sql`create unique index audit_findings_open on audit_findings (rule, subject) where settled_at is null`.execute(
      db,
    );
    await db.schema.createIndex("audit_findings_seen").on("audit_findings").columns(["first_seen_at", "id"]).execute();
  },
});

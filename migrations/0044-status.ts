import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the tables of the public status: what was late or down, and how long each revocation took until it was published. */
export const status = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("status_events")
      .addColumn("id", "integer", type.id)
      .addColumn("kind", "varchar(20)", (c) => c.notNull())
      .addColumn("subject", "varchar(60)", (c) => c.notNull())
      .addColumn("begun_at", type.moment, (c) => c.notNull())
      .addColumn("ended_at", type.moment)
      .execute();
    await sql`create unique index status_events_open on status_events (kind, subject) where ended_at is null`.execute(
      db,
    );
    await db.schema.createIndex("status_events_kind").on("status_events").columns(["kind", "ended_at"]).execute();

    await db.schema
      .createTable("revocation_publications")
      .addColumn("certificate_id", "integer", (c) => c.primaryKey())
      .addColumn("asked_at", type.moment, (c) => c.notNull())
      .addColumn("published_at", type.moment)
      .execute();
    await db.schema
      .createIndex("revocation_publications_published")
      .on("revocation_publications")
      .columns(["published_at", "certificate_id"])
      .execute();
  },
});

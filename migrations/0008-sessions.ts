import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/**
 * Creates the table of sessions, which replaces the list of ended sessions. A session without a row is not valid, so everybody logs in again
 * after this migration and the old list has no use.
 */
export const sessions = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("sessions")
      .addColumn("id", "varchar(64)", (c) => c.primaryKey())
      .addColumn("kind", "varchar(8)", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("epoch", "integer", (c) => c.notNull())
      .addColumn("impersonator_id", "integer", (c) => c.references("users.id"))
      .addColumn("impersonator_epoch", "integer")
      .addColumn("started_at", type.moment, (c) => c.notNull())
      .addColumn("last_used_at", type.moment, (c) => c.notNull())
      .addColumn("address", "varchar(60)", (c) => c.notNull())
      .addColumn("user_agent", "varchar(400)", (c) => c.notNull())
      .addColumn("ended_at", type.moment)
      .addColumn("end_reason", "varchar(20)")
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .execute();
    for (const column of ["user_id", "impersonator_id", "expires_at"])
      await db.schema.createIndex(`sessions_${column}`).on("sessions").column(column).execute();
    await db.schema.createIndex("api_tokens_session").on("api_tokens").column("session_id").execute();

    await db.schema.dropTable("ended_sessions").execute();
  },
});

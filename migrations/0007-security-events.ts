import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the table of security events, and adds the client's address to the entries of the audit trail. */
export const securityEvents = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("security_events")
      .addColumn("id", "integer", type.id)
      .addColumn("at", type.moment, (c) => c.notNull())
      .addColumn("last_at", type.moment, (c) => c.notNull())
      .addColumn("times", "integer", (c) => c.notNull().defaultTo(1))
      .addColumn("event", "varchar(60)", (c) => c.notNull())
      .addColumn("outcome", "varchar(10)", (c) => c.notNull())
      .addColumn("user_id", "integer")
      .addColumn("actor_name", "varchar(120)")
      .addColumn("impersonator_id", "integer")
      .addColumn("address", "varchar(60)")
      .addColumn("network", "varchar(60)")
      .addColumn("user_agent", "varchar(400)")
      .addColumn("path", "varchar(200)")
      .addColumn("request_id", "varchar(60)")
      .addColumn("detail", "varchar(500)", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("security_events_at").on("security_events").columns(["at", "id"]).execute();
    for (const column of ["event", "user_id", "impersonator_id", "actor_name", "address", "network"])
      await db.schema
        .createIndex(`security_events_${column}`)
        .on("security_events")
        .columns([column, "at", "id"])
        .execute();

    await db.schema.alterTable("audit_entries").addColumn("address", "varchar(60)").execute();
    await db.schema.createIndex("audit_address_at").on("audit_entries").columns(["address", "at", "id"]).execute();
  },
});

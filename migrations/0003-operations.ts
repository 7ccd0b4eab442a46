import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Audit trail, mail queue, jobs, settings, rate limits. */
export const operations = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("audit_entries")
      .addColumn("id", "integer", type.id)
      .addColumn("at", type.moment, (c) => c.notNull())
      .addColumn("actor_id", "integer")
      .addColumn("impersonator_id", "integer")
      .addColumn("actor_name", "varchar(200)", (c) => c.notNull())
      .addColumn("event", "varchar(60)", (c) => c.notNull())
      .addColumn("message", "text", (c) => c.notNull())
      .addColumn("user_id", "integer")
      .addColumn("order_id", "integer")
      .addColumn("certificate_id", "integer")
      .addColumn("reference", "varchar(200)")
      .execute();
    await db.schema.createIndex("audit_at").on("audit_entries").column("at").execute();
    await db.schema.createIndex("audit_certificate").on("audit_entries").column("certificate_id").execute();

    await db.schema
      .createTable("mails")
      .addColumn("id", "integer", type.id)
      .addColumn("dedupe_key", "varchar(200)", (c) => c.notNull().unique())
      .addColumn("recipient", "varchar(200)", (c) => c.notNull())
      .addColumn("subject", "varchar(300)", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("html", "text", (c) => c.notNull())
      .addColumn("order_id", "integer", (c) => c.references("orders.id"))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("attempts", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("next_attempt_at", type.moment, (c) => c.notNull())
      .addColumn("leased_until", type.moment)
      .addColumn("sent_at", type.moment)
      .addColumn("last_error", "varchar(500)")
      .execute();
    await db.schema.createIndex("mails_due").on("mails").columns(["sent_at", "next_attempt_at"]).execute();
    await db.schema.createIndex("mails_order").on("mails").column("order_id").execute();

    await db.schema
      .createTable("jobs")
      .addColumn("name", "varchar(60)", (c) => c.primaryKey())
      .addColumn("next_run_at", type.moment, (c) => c.notNull())
      .addColumn("leased_until", type.moment)
      .addColumn("leased_by", "varchar(120)")
      .addColumn("last_started_at", type.moment)
      .addColumn("last_finished_at", type.moment)
      .addColumn("last_result", "varchar(500)")
      .addColumn("last_error", "varchar(500)")
      .execute();

    await db.schema
      .createTable("settings")
      .addColumn("name", "varchar(60)", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull())
      .addColumn("value", "text", (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .addPrimaryKeyConstraint("settings_pk", ["name", "user_id"])
      .execute();

    await db.schema
      .createTable("rate_limits")
      .addColumn("key", "varchar(255)", (c) => c.primaryKey())
      .addColumn("points", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("expire", "bigint")
      .execute();
  },
});

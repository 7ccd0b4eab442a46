import { sql, type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** Creates the tables of webhooks: the endpoints of companies, what is sent to them, and how far the audit trail has been read for them. */
export const webhooks = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("webhook_endpoints")
      .addColumn("id", "integer", type.id)
      .addColumn("company_id", "integer", (c) => c.notNull().references("companies.id"))
      .addColumn("url", "varchar(2000)", (c) => c.notNull())
      .addColumn("description", "varchar(100)", (c) => c.notNull())
      .addColumn("events", "text", (c) => c.notNull())
      .addColumn("expiry_days", "varchar(60)", (c) => c.notNull())
      .addColumn("secret", "text", (c) => c.notNull())
      .addColumn("secret_made_at", type.moment, (c) => c.notNull())
      .addColumn("earlier_secret", "text")
      .addColumn("earlier_ends_at", type.moment)
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("after_sequence", "integer", (c) => c.notNull())
      .addColumn("paused_at", type.moment)
      .addColumn("paused_why", "text")
      .addColumn("delivered_at", type.moment)
      .addColumn("failed_at", type.moment)
      .execute();
    await db.schema
      .createIndex("webhook_endpoints_company")
      .on("webhook_endpoints")
      .columns(["company_id", "id"])
      .execute();
    await db.schema
      .createTable("webhook_deliveries")
      .addColumn("id", "integer", type.id)
      .addColumn("endpoint_id", "integer", (c) => c.notNull().references("webhook_endpoints.id").onDelete("cascade"))
      .addColumn("source", "varchar(80)", (c) => c.notNull())
      .addColumn("message_id", "varchar(40)", (c) => c.notNull())
      .addColumn("event", "varchar(40)", (c) => c.notNull())
      .addColumn("body", "text", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("begun_at", type.moment, (c) => c.notNull())
      .addColumn("attempts", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("next_attempt_at", type.moment, (c) => c.notNull())
      .addColumn("tried_at", type.moment)
      .addColumn("leased_until", type.moment)
      .addColumn("delivered_at", type.moment)
      .addColumn("given_up_at", type.moment)
      .addColumn("status_code", "integer")
      .addColumn("last_error", "text")
      .execute();
    await db.schema
      .createIndex("webhook_deliveries_source")
      .on("webhook_deliveries")
      .columns(["endpoint_id", "source"])
      .unique()
      .execute();
    await db.schema
      .createIndex("webhook_deliveries_endpoint")
      .on("webhook_deliveries")
      .columns(["endpoint_id", "id"])
      .execute();
    await db.schema.createIndex("webhook_deliveries_created").on("webhook_deliveries").column("created_at").execute();
    await sql`create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at)
      where delivered_at is null and given_up_at is null`.execute(db);
    await db.schema
      .createTable("webhook_positions")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("sequence", "integer", (c) => c.notNull())
      .execute();
    await sql`insert into webhook_positions (id, sequence) values (1, 0)`.execute(db);
  },
});

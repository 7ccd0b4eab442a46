import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the audit trail, whose chain begins with sequence 0, and its signed checkpoints. */
async function auditTrail(db: AnyDb, dialect: Dialect): Promise<void> {
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
    .addColumn("search_text", "text")
    .addColumn("user_id", "integer")
    .addColumn("order_id", "integer")
    .addColumn("certificate_id", "integer")
    .addColumn("code_id", "integer")
    .addColumn("reference", "varchar(200)")
    .addColumn("sequence", "integer")
    .addColumn("previous", type.bytes)
    .addColumn("mac", type.bytes)
    .addColumn("key_id", "varchar(16)")
    .execute();
  await db.schema.createIndex("audit_sequence").on("audit_entries").column("sequence").unique().execute();
  await db.schema.createIndex("audit_at_id").on("audit_entries").columns(["at", "id"]).execute();
  // First the columns for which a search can find many entries, each in the order of time. Then the columns with few entries for each
  // value.
  for (const column of ["event", "actor_id", "actor_name", "impersonator_id", "user_id", "reference"])
    await db.schema.createIndex(`audit_${column}_at`).on("audit_entries").columns([column, "at", "id"]).execute();
  await db.schema.createIndex("audit_certificate").on("audit_entries").column("certificate_id").execute();
  await db.schema.createIndex("audit_code").on("audit_entries").columns(["code_id", "id"]).execute();
  await db.schema.createIndex("audit_order").on("audit_entries").columns(["order_id", "id"]).execute();

  await db.schema
    .createTable("audit_head")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("sequence", "integer", (c) => c.notNull())
    .addColumn("entry_id", "integer", (c) => c.notNull())
    .addColumn("mac", type.bytes, (c) => c.notNull())
    .addColumn("unsealed_until", "integer")
    .addColumn("key_id", "varchar(16)", (c) => c.notNull())
    .addColumn("seal", type.bytes, (c) => c.notNull())
    .execute();
  const empty = dialect === "postgres" ? sql`''::bytea` : sql`x''`;
  await sql`insert into audit_head (id, sequence, entry_id, mac, key_id, seal)
    values (1, 0, 0, ${empty}, '', ${empty})`.execute(db);

  await db.schema
    .createTable("audit_checkpoints")
    .addColumn("sequence", "integer", (c) => c.primaryKey())
    .addColumn("at", type.moment, (c) => c.notNull())
    .addColumn("mac", type.bytes, (c) => c.notNull())
    .addColumn("key_id", "varchar(16)", (c) => c.notNull())
    .addColumn("signature", type.bytes, (c) => c.notNull())
    .execute();
}

/**
 * Creates the audit trail, the mail queue, jobs, settings, rate limits, and the row that is written to check whether anything can be
 * stored.
 */
export const operations = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await auditTrail(db, dialect);

    await db.schema
      .createTable("mails")
      .addColumn("id", "integer", type.id)
      .addColumn("dedupe_key", "varchar(200)", (c) => c.notNull().unique())
      .addColumn("recipient", "varchar(200)", (c) => c.notNull())
      .addColumn("subject", "varchar(300)", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("html", "text", (c) => c.notNull())
      .addColumn("stop_url", "varchar(300)")
      .addColumn("order_id", "integer", (c) => c.references("orders.id"))
      .addColumn("invoice_id", "integer", (c) => c.references("invoices.id"))
      .addColumn("awaits_user_id", "integer", (c) => c.references("users.id"))
      .addColumn("is_contact", type.flag, (c) => c.notNull().defaultTo(type.no))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("attempts", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("next_attempt_at", type.moment, (c) => c.notNull())
      .addColumn("leased_until", type.moment)
      .addColumn("sent_at", type.moment)
      .addColumn("last_error", "varchar(500)")
      .addColumn("tried_at", type.moment)
      .addColumn("failing_since", type.moment)
      .addColumn("rejected_at", type.moment)
      .addColumn("dismissed_at", type.moment)
      .execute();
    await db.schema.createIndex("mails_due").on("mails").columns(["sent_at", "next_attempt_at"]).execute();
    await db.schema.createIndex("mails_order").on("mails").column("order_id").execute();
    await db.schema.createIndex("mails_recipient").on("mails").columns(["recipient", "created_at"]).execute();
    await db.schema.createIndex("mails_awaiting").on("mails").column("awaits_user_id").execute();

    await db.schema
      .createTable("contact_stops")
      .addColumn("email", "varchar(200)", (c) => c.primaryKey())
      .addColumn("stopped_at", type.moment, (c) => c.notNull())
      .addColumn("order_id", "integer")
      .execute();

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
      .addColumn("last_duration_ms", "integer")
      .addColumn("last_succeeded_at", type.moment)
      .addColumn("last_failed_at", type.moment)
      .addColumn("last_failure", "varchar(500)")
      .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
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

    await db.schema
      .createTable("write_probes")
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("written_at", type.moment, (c) => c.notNull())
      .execute();
  },
});

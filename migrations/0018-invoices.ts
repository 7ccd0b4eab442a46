import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** What is written once and never changed or removed, whoever asks the database to. */
async function makeImmutable(db: AnyDb, dialect: Dialect, table: string): Promise<void> {
  const message = `${table} are never changed`;
  if (dialect === "postgres") {
    await sql
      .raw(
        `create function ${table}_refuse() returns trigger language plpgsql as
         $$ begin raise exception '${message}'; end $$`,
      )
      .execute(db);
    await sql
      .raw(`create trigger ${table}_immutable before update or delete on ${table} execute function ${table}_refuse()`)
      .execute(db);
    return;
  }
  for (const change of ["update", "delete"])
    await sql
      .raw(
        `create trigger ${table}_no_${change} before ${change} on ${table} begin select raise(abort, '${message}'); end`,
      )
      .execute(db);
}

/** Invoices and credit notes: their numbers, what they say, and the PDF that was made of it. */
export const invoices = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("invoice_counters")
      .addColumn("kind", "varchar(11)", (c) => c.notNull())
      .addColumn("year", "integer", (c) => c.notNull())
      .addColumn("last", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("invoice_counters_pk", ["kind", "year"])
      .execute();

    await db.schema
      .createTable("invoices")
      .addColumn("id", "integer", type.id)
      .addColumn("kind", "varchar(11)", (c) => c.notNull())
      .addColumn("year", "integer", (c) => c.notNull())
      .addColumn("number", "integer", (c) => c.notNull())
      .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id"))
      .addColumn("round", "integer", (c) => c.notNull())
      .addColumn("total_cents", "integer", (c) => c.notNull())
      .addColumn("content", "text", (c) => c.notNull())
      .addColumn("issued_at", type.moment, (c) => c.notNull())
      .addUniqueConstraint("invoices_number", ["kind", "year", "number"])
      .addUniqueConstraint("invoices_order", ["order_id", "round", "kind"])
      .execute();

    await db.schema
      .createTable("invoice_files")
      .addColumn("invoice_id", "integer", (c) => c.primaryKey().references("invoices.id"))
      .addColumn("pdf", type.bytes, (c) => c.notNull())
      .addColumn("sha256", "varchar(64)", (c) => c.notNull())
      .addColumn("stored_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .alterTable("mails")
      .addColumn("invoice_id", "integer", (c) => c.references("invoices.id"))
      .execute();

    await makeImmutable(db, dialect, "invoices");
    await makeImmutable(db, dialect, "invoice_files");
  },
});

import { sql, type Migration } from "kysely";
import { columnTypes, makeImmutable, startIdsAt, type AnyDb, type Dialect } from "./column-types";

/** Creates the tables for drafts, orders and their words, idempotency keys, promotion codes and invoices. */
export const orders = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("drafts")
      .addColumn("id", "varchar(40)", (c) => c.primaryKey())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("kind", "varchar(30)", (c) => c.notNull())
      .addColumn("data", "text", (c) => c.notNull())
      .addColumn("order_id", "integer")
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema.createIndex("drafts_user").on("drafts").columns(["user_id", "updated_at"]).execute();
    await db.schema.createIndex("drafts_expiry").on("drafts").column("expires_at").execute();

    await db.schema
      .createTable("orders")
      .addColumn("id", "integer", type.id)
      .addColumn("purchase_order_type", "integer", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("draft_id", "varchar(40)", (c) => c.unique())
      .addColumn("status", "varchar(12)", (c) => c.notNull())
      .addColumn("purchase_order_number", "varchar(50)", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .addColumn("price_cents", "bigint", (c) => c.notNull())
      .addColumn("discount_cents", "bigint", (c) => c.notNull())
      .addColumn("net_cents", "bigint", (c) => c.notNull())
      .addColumn("vat_rate", type.fraction, (c) => c.notNull())
      .addColumn("vat_cents", "bigint", (c) => c.notNull())
      .addColumn("total_cents", "bigint", (c) => c.notNull())
      .addColumn("promotion_code", "varchar(70)")
      .addColumn("vat_number", "varchar(18)")
      .addColumn("vat_number_checked", type.flag)
      .addColumn("invoice_address", "text", (c) => c.notNull())
      .addColumn("country_id", "integer", (c) => c.notNull().references("countries.id"))
      .addColumn("company", "varchar(120)", (c) => c.notNull())
      .addColumn("is_notified", type.flag)
      .addColumn("customer_note", "text")
      .addColumn("remarks", "varchar(500)")
      .addColumn("invoice_number", "varchar(70)")
      .addColumn("invoice_cents", "bigint")
      .addColumn("invoice_date", type.moment)
      .addColumn("payment_cents", "bigint")
      .addColumn("payment_date", type.moment)
      .addColumn("code_type", "varchar(20)")
      .addColumn("number_of_codes", "integer")
      .addColumn("is_maintenance", type.flag, (c) => c.notNull().defaultTo(type.no))
      .addColumn("order_type", type.ordered, (c) => c.notNull().defaultTo(""))
      .addColumn("sort_company", type.ordered, (c) => c.notNull().defaultTo(""))
      .addColumn("sort_country", type.ordered, (c) => c.notNull().defaultTo(""))
      .addColumn("sort_user", type.ordered, (c) => c.notNull().defaultTo(""))
      .execute();
    await startIdsAt(db, dialect, "orders", 1001);
    await db.schema.createIndex("orders_user").on("orders").columns(["user_id", "created_at"]).execute();
    const listed = ["created_at", "status", "order_type", "sort_company", "sort_country", "sort_user", "total_cents"];
    for (const column of [...listed, "country_id", "user_id"])
      await db.schema.createIndex(`orders_by_${column}`).on("orders").columns([column, "id"]).execute();
    const invoice = sql.raw(`coalesce(invoice_number, '')${dialect === "postgres" ? ' collate "C"' : ""}`);
    await sql`create index orders_by_invoice on orders ((${invoice}), id)`.execute(db);
    await db.schema.createIndex("orders_invoice").on("orders").column("invoice_number").execute();
    // Open orders are new and paid orders are old, so an index on the time alone would be read from the wrong end.
    for (const column of ["status", "order_type", "country_id"])
      await db.schema.createIndex(`orders_${column}_at`).on("orders").columns([column, "created_at", "id"]).execute();

    const words = db.schema
      .createTable("order_words")
      .addColumn("word", type.ordered, (c) => c.notNull())
      .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("order_words_word", ["word", "order_id"]);
    await (dialect === "sqlite" ? words.modifyEnd(sql`without rowid`) : words).execute();
    await db.schema.createIndex("order_words_order").on("order_words").columns(["order_id", "word"]).execute();

    // Orders that programs sent with an Idempotency-Key, identified by the hash of the key.
    await db.schema
      .createTable("api_idempotency")
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("key_hash", "varchar(64)", (c) => c.notNull())
      .addColumn("fingerprint", "varchar(64)", (c) => c.notNull())
      .addColumn("order_id", "integer", (c) => c.references("orders.id"))
      .addColumn("expires_at", type.moment, (c) => c.notNull())
      .addPrimaryKeyConstraint("api_idempotency_key", ["user_id", "key_hash"])
      .execute();
    await db.schema.createIndex("api_idempotency_end").on("api_idempotency").column("expires_at").execute();

    await db.schema
      .createTable("promotion_batches")
      .addColumn("id", "varchar(40)", (c) => c.primaryKey())
      .addColumn("count", "integer", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("promotion_codes")
      .addColumn("code", "varchar(10)", (c) => c.primaryKey())
      .addColumn("value_cents", "bigint", (c) => c.notNull())
      .addColumn("months", "integer", (c) => c.notNull())
      .addColumn("valid_until", type.moment)
      .addColumn("used_by_order_id", "integer", (c) => c.references("orders.id"))
      .addColumn("used_at", type.moment)
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("batch_id", "varchar(40)", (c) => c.references("promotion_batches.id"))
      .addColumn("withdrawn_at", type.moment)
      .execute();
    for (const column of ["batch_id", "created_at", "valid_until"])
      await db.schema
        .createIndex(`promotion_codes_${column}`)
        .on("promotion_codes")
        .columns([column, "code"])
        .execute();

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
      .addColumn("total_cents", "bigint", (c) => c.notNull())
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

    await makeImmutable(db, dialect, "invoices");
    await makeImmutable(db, dialect, "invoice_files");
  },
});

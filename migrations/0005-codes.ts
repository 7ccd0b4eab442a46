import { sql, type Migration } from "kysely";
import { columnTypes, startIdsAt, type AnyDb, type Dialect } from "./column-types";

/**
 * Creates the tables for the code register (codes and sub-codes with their contacts and words), codes that are paid and not registered yet,
 * and the yearly maintenance.
 */
export const codes = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("codes")
      .addColumn("id", "integer", type.id)
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("order_id", "integer", (c) => c.references("orders.id"))
      .addColumn("code_type", "varchar(5)", (c) => c.notNull())
      .addColumn("code", type.ordered, (c) => c.notNull())
      .addColumn("subcode", type.ordered, (c) => c.notNull())
      .addColumn("parent_id", "integer", (c) => c.references("codes.id"))
      .addColumn("status", "varchar(10)", (c) => c.notNull())
      .addColumn("entity_name", "varchar(70)", (c) => c.notNull())
      .addColumn("short_name", "varchar(70)")
      .addColumn("trade_name", "varchar(70)")
      .addColumn("vat_number", "varchar(18)")
      .addColumn("duns_number", "varchar(18)")
      .addColumn("direct_parent", "varchar(4)")
      .addColumn("domestic_ultimate_parent", "varchar(70)")
      .addColumn("global_ultimate_parent", "varchar(70)")
      .addColumn("entity_type", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("entity_type_other", "varchar(70)")
      .addColumn("sbe_can_register", type.flag, (c) => c.notNull())
      .addColumn("sbe_max_number", "integer")
      .addColumn("use_company_address", type.flag, (c) => c.notNull())
      .addColumn("physical_address_id", "integer", (c) => c.references("addresses.id"))
      .addColumn("use_physical_address", type.flag, (c) => c.notNull())
      .addColumn("mailing_address_id", "integer", (c) => c.references("addresses.id"))
      .addColumn("sort_company", type.ordered, (c) => c.notNull())
      .addColumn("sort_email", type.ordered, (c) => c.notNull().defaultTo(""))
      .addColumn("sort_entity", type.ordered, (c) => c.notNull())
      .addColumn("sort_city", type.ordered, (c) => c.notNull())
      .addColumn("country_id", "integer", (c) => c.references("countries.id"))
      .addColumn("search_text", "text", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .addUniqueConstraint("codes_code", ["code", "subcode"])
      .execute();
    await startIdsAt(db, dialect, "codes", 20001);
    await db.schema.createIndex("codes_user").on("codes").columns(["user_id", "id"]).execute();
    await db.schema.createIndex("codes_order").on("codes").column("order_id").execute();
    await db.schema.createIndex("codes_parent").on("codes").columns(["parent_id", "subcode"]).execute();
    for (const column of ["sort_company", "sort_email", "sort_entity", "sort_city", "country_id"])
      await db.schema.createIndex(`codes_${column}`).on("codes").columns([column, "id"]).execute();
    // PostgreSQL reads the ids from this index alone, in its order. On SQLite every index contains the ids.
    if (dialect === "postgres")
      await db.schema.createIndex("codes_code_id").on("codes").columns(["code", "subcode", "id"]).execute();

    const words = db.schema
      .createTable("code_words")
      .addColumn("field", "varchar(7)", (c) => c.notNull())
      .addColumn("word", type.ordered, (c) => c.notNull())
      .addColumn("code_id", "integer", (c) => c.notNull().references("codes.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("code_words_word", ["field", "word", "code_id"]);
    await (dialect === "sqlite" ? words.modifyEnd(sql`without rowid`) : words).execute();
    await db.schema.createIndex("code_words_code").on("code_words").columns(["code_id", "field", "word"]).execute();

    await db.schema
      .createTable("code_contacts")
      .addColumn("id", "integer", type.id)
      .addColumn("code_id", "integer", (c) => c.notNull().references("codes.id"))
      .addColumn("contact_type", "varchar(20)", (c) => c.notNull())
      .addColumn("first_name", "varchar(120)", (c) => c.notNull())
      .addColumn("last_name", "varchar(120)", (c) => c.notNull())
      .addColumn("job_title", "varchar(120)")
      .addColumn("department", "varchar(70)")
      .addColumn("phone_number", "varchar(25)")
      .addColumn("mobile", "varchar(35)")
      .addColumn("fax", "varchar(35)")
      .addColumn("email", "varchar(60)", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("code_contacts_code").on("code_contacts").columns(["code_id", "id"]).execute();

    await db.schema
      .createTable("available_codes")
      .addColumn("order_id", "integer", (c) => c.primaryKey().references("orders.id"))
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("code_type", "varchar(5)", (c) => c.notNull())
      .addColumn("quantity", "integer", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("available_codes_user")
      .on("available_codes")
      .columns(["user_id", "code_type", "order_id"])
      .execute();

    await db.schema
      .createTable("order_lines")
      .addColumn("id", "integer", type.id)
      .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id"))
      .addColumn("code_id", "integer", (c) => c.notNull().references("codes.id"))
      .addColumn("code", "varchar(6)", (c) => c.notNull())
      .addColumn("code_type", "varchar(5)", (c) => c.notNull())
      .addColumn("subcodes", "text", (c) => c.notNull())
      .addColumn("cost_cents", "bigint", (c) => c.notNull())
      .addColumn("discount_num_months", "integer", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("order_lines_order").on("order_lines").columns(["order_id", "id"]).execute();

    await db.schema
      .createTable("maintenance_orders")
      .addColumn("year", "integer", (c) => c.notNull())
      .addColumn("user_id", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("order_id", "integer", (c) => c.notNull().unique().references("orders.id"))
      .addPrimaryKeyConstraint("maintenance_orders_year", ["year", "user_id"])
      .execute();
  },
});

import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Lists of known bad keys, and products of the moduli that were certified or ordered. */
export const knownKeys = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("key_lists")
      .addColumn("id", "integer", type.id)
      .addColumn("name", "varchar(200)", (c) => c.notNull().unique())
      .addColumn("key_count", "integer", (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addColumn("updated_at", type.moment, (c) => c.notNull())
      .execute();

    const listedKeys = db.schema
      .createTable("listed_keys")
      .addColumn("fingerprint", type.bytes, (c) => c.primaryKey())
      .addColumn("list_id", "integer", (c) => c.notNull().references("key_lists.id"));
    // On SQLite the table then is its index: half the size, and one search instead of two.
    await (dialect === "sqlite" ? listedKeys.modifyEnd(sql`without rowid`) : listedKeys).execute();

    await db.schema
      .createTable("modulus_products")
      .addColumn("id", "integer", type.id)
      .addColumn("key_count", "integer", (c) => c.notNull())
      .addColumn("product", type.bytes, (c) => c.notNull())
      .execute();
    await db.schema.alterTable("certificates").addColumn("modulus_product_id", "integer").execute();
    await db.schema
      .createIndex("certificates_without_product")
      .on("certificates")
      .column("id")
      .where("modulus_product_id" as never, "is", null)
      .execute();
  },
});

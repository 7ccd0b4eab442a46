import { sql, type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/**
 * Which product of moduli changed when, up to which change a key was compared with all others, and which lists hold the keys of Debian's
 * weak OpenSSL.
 */
export const comparedKeys = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .alterTable("modulus_products")
      .addColumn("version", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update modulus_products set version = id`.execute(db);
    await db.schema.createIndex("modulus_products_version").unique().on("modulus_products").column("version").execute();

    await db.schema
      .createTable("key_comparisons")
      .addColumn("key_identity", "varchar(64)", (c) => c.primaryKey())
      .addColumn("product_version", "integer", (c) => c.notNull())
      .addColumn("compared_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .alterTable("key_lists")
      .addColumn("has_debian_keys", type.flag, (c) => c.notNull().defaultTo(type.no))
      .execute();
    // The fingerprints of Debian's lists alone have 10 bytes.
    await sql`update key_lists set has_debian_keys = (1 = 1)
      where id in (select list_id from listed_keys where length(fingerprint) = 10)`.execute(db);
  },
});

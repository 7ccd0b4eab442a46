import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Creates the tables for certification authorities, their CRLs and their OCSP responders. */
export const authorities = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);

    await db.schema
      .createTable("authorities")
      .addColumn("id", "integer", type.id)
      .addColumn("name", "varchar(20)", (c) => c.notNull().unique())
      .addColumn("hierarchy", "varchar(8)", (c) => c.notNull())
      .addColumn("is_root", type.flag, (c) => c.notNull())
      .addColumn("certificate", type.bytes, (c) => c.notNull())
      .addColumn("subject_name", "varchar(400)", (c) => c.notNull())
      .addColumn("not_after", type.moment, (c) => c.notNull())
      .addColumn("crl_number", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("crls")
      .addColumn("id", "integer", type.id)
      .addColumn("authority_id", "integer", (c) => c.notNull().references("authorities.id"))
      .addColumn("is_delta", type.flag, (c) => c.notNull())
      .addColumn("number", "integer", (c) => c.notNull())
      .addColumn("base_number", "integer")
      .addColumn("this_update", type.moment, (c) => c.notNull())
      .addColumn("next_update", type.moment, (c) => c.notNull())
      .addColumn("entry_count", "integer", (c) => c.notNull())
      .addColumn("size", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("etag", "varchar(64)", (c) => c.notNull().defaultTo(""))
      .addUniqueConstraint("crls_number", ["authority_id", "is_delta", "number"])
      .execute();
    await db.schema.createIndex("crls_latest").on("crls").columns(["authority_id", "is_delta", "number"]).execute();

    await db.schema
      .createTable("crl_files")
      .addColumn("crl_id", "integer", (c) => c.primaryKey().references("crls.id").onDelete("cascade"))
      .addColumn("der", type.bytes, (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("ocsp_responders")
      .addColumn("id", "integer", type.id)
      .addColumn("authority_id", "integer", (c) => c.notNull().references("authorities.id"))
      .addColumn("generation", "integer", (c) => c.notNull())
      .addColumn("serial_number", "varchar(40)", (c) => c.notNull().unique())
      .addColumn("private_key", "text")
      .addColumn("tbs_certificate", type.bytes, (c) => c.notNull())
      .addColumn("certificate", type.bytes)
      .addColumn("not_before", type.moment, (c) => c.notNull())
      .addColumn("not_after", type.moment, (c) => c.notNull())
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addUniqueConstraint("ocsp_responders_generation", ["authority_id", "generation"])
      .execute();
  },
});

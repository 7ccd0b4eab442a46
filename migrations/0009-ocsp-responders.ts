import { type Migration } from "kysely";
import { columnTypes, type AnyDb, type Dialect } from "./column-types";

/** Keys and certificates of the delegated OCSP responders, one after the other for each issuing CA. */
export const ocspResponders = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
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

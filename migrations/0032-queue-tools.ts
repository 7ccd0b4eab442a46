import { type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect, makeImmutable } from "./column-types";

/** Adds who of staff works on a pending order, and the comments of staff about orders. */
export const queueTools = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .alterTable("certificates")
      .addColumn("assigned_to", "integer", (c) => c.references("users.id"))
      .execute();
    await db.schema.alterTable("certificates").addColumn("assigned_at", type.moment).execute();
    await db.schema
      .createTable("order_comments")
      .addColumn("id", "integer", type.id)
      .addColumn("certificate_id", "integer", (c) => c.notNull().references("certificates.id"))
      .addColumn("written_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("written_at", type.moment, (c) => c.notNull())
      .addColumn("text", "varchar(2000)", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("order_comments_certificate")
      .on("order_comments")
      .columns(["certificate_id", "id"])
      .execute();
    await makeImmutable(db, dialect, "order_comments");
  },
});

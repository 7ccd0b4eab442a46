import { type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** Adds what customers note about their certificates: where each is used, and tags. */
export const certificateNotes = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("certificate_notes")
      .addColumn("certificate_id", "integer", (c) => c.primaryKey().references("certificates.id"))
      .addColumn("notes", "varchar(2000)", (c) => c.notNull())
      .addColumn("tags", "text", (c) => c.notNull())
      .addColumn("version", "integer", (c) => c.notNull())
      .addColumn("changed_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("changed_at", type.moment, (c) => c.notNull())
      .execute();
  },
});

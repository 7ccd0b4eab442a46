import { type Migration } from "kysely";
import { type AnyDb, columnTypes, type Dialect } from "./column-types";

/** Adds the corrections of orders: what customers typed wrongly and corrected, with the documents that each correction made. */
export const orderCorrections = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    await db.schema
      .createTable("order_corrections")
      .addColumn("id", "integer", type.id)
      .addColumn("year", "integer", (c) => c.notNull())
      .addColumn("number", "integer", (c) => c.notNull())
      .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id"))
      .addColumn("kind", "varchar(10)", (c) => c.notNull())
      .addColumn("changes", "text", (c) => c.notNull())
      .addColumn("credit_note_id", "integer", (c) => c.references("invoices.id"))
      .addColumn("invoice_id", "integer", (c) => c.references("invoices.id"))
      .addColumn("certificate_id", "integer", (c) => c.references("certificates.id"))
      .addColumn("made_by", "integer", (c) => c.notNull().references("users.id"))
      .addColumn("created_at", type.moment, (c) => c.notNull())
      .addUniqueConstraint("order_corrections_number", ["year", "number"])
      .execute();
    for (const column of ["order_id", "certificate_id", "made_by"])
      await db.schema.createIndex(`order_corrections_by_${column}`).on("order_corrections").column(column).execute();
  },
});

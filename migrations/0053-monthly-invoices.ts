import { type Migration, sql } from "kysely";
import { type AnyDb, columnTypes, type Dialect, makeImmutable } from "./column-types";

/**
 * Adds invoices for several orders: the choice of one invoice a month for a standing authorisation, which orders wait for it, and the orders of
 * an invoice besides the one in its own row.
 */
export const monthlyInvoices = (dialect: Dialect): Migration => ({
  async up(db: AnyDb) {
    const type = columnTypes(dialect);
    for (const [table, column] of [
      ["standing_authorisations", "is_invoiced_monthly"],
      ["standing_orders", "awaits_invoice"],
    ] as const)
      await db.schema
        .alterTable(table)
        .addColumn(column, type.flag, (c) => c.notNull().defaultTo(type.no))
        .execute();
    await sql`create index standing_orders_awaiting on standing_orders (certificate_id) where awaits_invoice`.execute(
      db,
    );
    await db.schema
      .createTable("invoice_further_orders")
      .addColumn("order_id", "integer", (c) => c.notNull().references("orders.id"))
      .addColumn("kind", "varchar(11)", (c) => c.notNull())
      .addColumn("round", "integer", (c) => c.notNull())
      .addColumn("invoice_id", "integer", (c) => c.notNull().references("invoices.id"))
      .addPrimaryKeyConstraint("invoice_further_orders_order", ["order_id", "round", "kind"])
      .execute();
    await db.schema
      .createIndex("invoice_further_orders_invoice")
      .on("invoice_further_orders")
      .columns(["invoice_id", "order_id"])
      .execute();
    await makeImmutable(db, dialect, "invoice_further_orders");
  },
});

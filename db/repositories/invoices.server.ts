import { sql } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { type InvoiceKind, type NewRow, type Row } from "../tables";

export type InvoiceRow = Row<"invoices">;
export type InvoiceFileRow = Row<"invoiceFiles">;

/**
 * Takes the next number of a kind and year. Other transactions that want one wait until this one ends and either uses the number or gives
 * it back, so that there are no gaps. Call it last, just before the insert.
 */
export async function takeInvoiceNumber(trx: Trx, kind: InvoiceKind, year: number): Promise<number> {
  const { last } = await trx
    .insertInto("invoiceCounters")
    .values({ kind, year, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(["kind", "year"]).doUpdateSet({ last: sql<number>`invoice_counters.last + 1` }),
    )
    .returning("last")
    .executeTakeFirstOrThrow();
  return last;
}

/** Stores an invoice and returns its id. Fails when the order already has one of the same kind and round. */
export const insertInvoice = async (trx: Trx, invoice: NewRow<"invoices">): Promise<number> =>
  (await trx.insertInto("invoices").values(invoice).returning("id").executeTakeFirstOrThrow()).id;

/** Returns the invoices and credit notes of an order in the order in which they were issued. */
export const listInvoicesOf = (db: DbOrTrx, orderId: number): Promise<InvoiceRow[]> =>
  db
    .selectFrom("invoices")
    .selectAll()
    .where("orderId", "=", orderId)
    .orderBy("round")
    .orderBy("kind", "desc") // an invoice comes before its credit note
    .execute();

/** Returns the invoices and credit notes of several orders, without their content. */
export async function listDocumentsOf(db: DbOrTrx, orderIds: readonly number[]) {
  if (orderIds.length === 0) return [];
  return db
    .selectFrom("invoices")
    .select(["id", "orderId", "kind", "year", "number"])
    .where("orderId", "in", orderIds)
    .orderBy("orderId")
    .orderBy("round")
    .orderBy("kind", "desc")
    .execute();
}

/** Returns an invoice with the company of its order and who placed the order, or null. */
export async function findInvoice(
  db: DbOrTrx,
  id: number,
): Promise<(InvoiceRow & { userId: number; companyId: number }) | null> {
  const row = await db
    .selectFrom("invoices")
    .innerJoin("orders", "orders.id", "invoices.orderId")
    .selectAll("invoices")
    .select(["orders.userId", "orders.companyId"])
    .where("invoices.id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Sets the invoice columns of an order. Null values mean that it has no invoice any more. */
export async function setOrderInvoice(
  trx: Trx,
  orderId: number,
  change: Pick<NewRow<"orders">, "status" | "invoiceNumber" | "invoiceCents" | "invoiceDate">,
  now: Date,
): Promise<void> {
  await trx
    .updateTable("orders")
    .set({ ...change, updatedAt: now })
    .where("id", "=", orderId)
    .execute();
}

export type MaintenanceLine = Row<"orderLines"> & { year: number };

/** Returns the lines of a yearly maintenance order, one for each code, with the year. */
export const listMaintenanceLines = (db: DbOrTrx, orderId: number): Promise<MaintenanceLine[]> =>
  db
    .selectFrom("orderLines")
    .innerJoin("maintenanceOrders", "maintenanceOrders.orderId", "orderLines.orderId")
    .selectAll("orderLines")
    .select("maintenanceOrders.year")
    .where("orderLines.orderId", "=", orderId)
    .orderBy("orderLines.id")
    .execute();

export const findInvoiceFile = async (db: DbOrTrx, invoiceId: number): Promise<InvoiceFileRow | null> =>
  (await db.selectFrom("invoiceFiles").selectAll().where("invoiceId", "=", invoiceId).executeTakeFirst()) ?? null;

/** Stores the PDF of an invoice. When several are made at the same time, the first one stays. */
export async function keepInvoiceFile(db: DbOrTrx, file: NewRow<"invoiceFiles">): Promise<void> {
  await db
    .insertInto("invoiceFiles")
    .values(file)
    .onConflict((conflict) => conflict.column("invoiceId").doNothing())
    .execute();
}

/** Returns the ids of invoices without a PDF, oldest first. */
export async function listInvoicesWithoutFile(db: DbOrTrx, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("invoices")
    .leftJoin("invoiceFiles", "invoiceFiles.invoiceId", "invoices.id")
    .select("invoices.id")
    .where("invoiceFiles.invoiceId", "is", null)
    .orderBy("invoices.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

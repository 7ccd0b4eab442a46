import { sql } from "kysely";
import { type DbOrTrx, type Trx } from "../connection.server";
import { givenRows } from "../given-rows.server";
import { type NewRow, type NumberedKind, type Row } from "../tables";
import { type OrderRow } from "./orders.server";

export type InvoiceRow = Row<"invoices">;
/** The content of a stored document without its orders. */
const OWN_COLUMNS = [
  "invoices.id",
  "invoices.kind",
  "invoices.year",
  "invoices.number",
  "invoices.totalCents",
  "invoices.issuedAt",
] as const;

export type InvoiceFileRow = Row<"invoiceFiles">;

/**
 * Takes the next numbers of a kind and year, and returns the first of them. Other transactions that want one wait until this one ends and
 * either uses the numbers or gives them back, so that there are no gaps. Call it last, just before the insert.
 */
export async function takeInvoiceNumbers(trx: Trx, kind: NumberedKind, year: number, count: number): Promise<number> {
  const { last } = await trx
    .insertInto("invoiceCounters")
    .values({ kind, year, last: count })
    .onConflict((conflict) =>
      conflict.columns(["kind", "year"]).doUpdateSet({ last: sql<number>`invoice_counters.last + ${count}` }),
    )
    .returning("last")
    .executeTakeFirstOrThrow();
  return last - count + 1;
}

/**
 * Stores invoices or credit notes of different orders, and returns their ids by their first order. Fails when an order already has one of the
 * same kind and round.
 */
export async function insertInvoices(trx: Trx, invoices: readonly NewRow<"invoices">[]): Promise<Map<number, number>> {
  const rows = await trx.insertInto("invoices").values(invoices).returning(["id", "orderId"]).execute();
  return new Map(rows.map(({ id, orderId }) => [orderId, id]));
}

/** Stores the orders of invoices besides their first ones. */
export async function insertFurtherOrders(trx: Trx, rows: readonly NewRow<"invoiceFurtherOrders">[]): Promise<void> {
  if (rows.length > 0) await trx.insertInto("invoiceFurtherOrders").values(rows).execute();
}

/** Selects every order of every invoice and credit note. An invoice has a row for each of its orders. */
export const invoicedOrders = (db: DbOrTrx) =>
  db
    .selectFrom("invoices")
    .select(["id as invoiceId", "orderId", "round"])
    .unionAll(db.selectFrom("invoiceFurtherOrders").select(["invoiceId", "orderId", "round"]));

const documentsOf = (db: DbOrTrx, orderIds: readonly number[]) =>
  db
    .selectFrom(invoicedOrders(db).as("invoiced"))
    .innerJoin("invoices", "invoices.id", "invoiced.invoiceId")
    .select(OWN_COLUMNS)
    .select(["invoiced.orderId", "invoiced.round"])
    .where("invoiced.orderId", "in", orderIds)
    .orderBy("invoiced.orderId")
    .orderBy("invoiced.round")
    .orderBy("invoices.kind", "desc"); // an invoice comes before its credit note

/**
 * Returns the invoices and credit notes of these orders; those of one order are in the sequence in which they were issued. A monthly invoice is
 * returned for each of these orders that it is for, with the order's id and round.
 */
export const listInvoicesOf = (db: DbOrTrx, orderIds: readonly number[]): Promise<InvoiceRow[]> =>
  documentsOf(db, orderIds).select("invoices.content").execute();

/** Returns what `listInvoicesOf` returns, without the content. */
export const listDocumentsOf = async (db: DbOrTrx, orderIds: readonly number[]) =>
  orderIds.length === 0 ? [] : documentsOf(db, orderIds).execute();

/** Returns the ids of the orders of each of these invoices, in ascending order, by the id of the invoice. */
export async function listOrdersOfInvoices(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, number[]>> {
  const orders = new Map<number, number[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return orders;
  const query = db.selectFrom(invoicedOrders(db).as("invoiced")).select(["invoiceId", "orderId"]);
  for (const { invoiceId, orderId } of await query.where("invoiceId", "in", ids).orderBy("orderId").execute())
    orders.get(invoiceId)?.push(orderId);
  return orders;
}

/** Returns an invoice with the company of its first order and who placed that order, or null. All its orders are of one company. */
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

export type OrderInvoice = Pick<OrderRow, "id" | "status" | "invoiceNumber" | "invoiceCents" | "invoiceDate">;

/** Sets the invoice columns of orders. Null values mean that an order has no invoice any more. */
export async function setOrderInvoices(trx: Trx, orders: readonly OrderInvoice[], now: Date): Promise<void> {
  const [first, ...others] = orders;
  if (!first) return;
  await trx
    .updateTable("orders")
    .from(givenRows("orders", [first, ...others]))
    .set((eb) => ({
      status: eb.ref("given.status"),
      invoiceNumber: eb.ref("given.invoiceNumber"),
      invoiceCents: eb.ref("given.invoiceCents"),
      invoiceDate: eb.ref("given.invoiceDate"),
      updatedAt: now,
    }))
    .whereRef("orders.id", "=", "given.id")
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

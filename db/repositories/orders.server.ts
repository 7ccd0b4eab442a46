import { foldForSearch } from "~/lib/fold-text";
import { searchWords } from "~/lib/search-words";
import { takeLock } from "../advisory-lock.server";
import { type DbOrTrx, getConnection, type Trx } from "../connection.server";
import { type NewRow, type OrderType, type Row } from "../tables";
import { PURCHASE_ORDER_TYPE } from "../tables/orders";
import { findCountry } from "./countries.server";

export type OrderRow = Row<"orders">;

const typeOf = ({ purchaseOrderType, isMaintenance, codeType }: NewRow<"orders">): OrderType | "" => {
  if (purchaseOrderType === PURCHASE_ORDER_TYPE.certificate) return "Certificate";
  return isMaintenance ? "Maintenance" : (codeType ?? "");
};

/**
 * Stores an order with its columns for search and sorting, and returns its id. Fails when the draft already became an order
 * (orders.draft_id is unique).
 */
export async function insertOrder(trx: Trx, order: NewRow<"orders">): Promise<number> {
  const { username } = await trx
    .selectFrom("users")
    .select("username")
    .where("id", "=", order.userId)
    .executeTakeFirstOrThrow();
  const sorted = {
    orderType: typeOf(order),
    sortCompany: foldForSearch(order.company),
    sortCountry: foldForSearch((await findCountry(trx, order.countryId))?.name ?? ""),
    sortUser: foldForSearch(username),
  };
  const values = { ...order, ...sorted };
  const { id } = await trx.insertInto("orders").values(values).returning("id").executeTakeFirstOrThrow();
  const words = searchWords(order.company).map((word) => ({ word, orderId: id }));
  if (words.length > 0) await trx.insertInto("orderWords").values(words).execute();
  return id;
}

/** Updates the sort column of an account's orders. Call it when the user name changes or orders change their owner. */
export async function refreshOrdersOwner(trx: Trx, { id, username }: { id: number; username: string }): Promise<void> {
  const sortUser = foldForSearch(username);
  await trx
    .updateTable("orders")
    .set({ sortUser })
    .where("userId", "=", id)
    .where("sortUser", "!=", sortUser)
    .execute();
}

/** Returns these orders, by id, and locks them against every other change until the transaction ends. */
export function lockOrders(trx: Trx, ids: readonly number[]): Promise<OrderRow[]> {
  const orders = trx.selectFrom("orders").selectAll().where("id", "in", ids).orderBy("id");
  // On SQLite a transaction is the only writer.
  return (getConnection().dialect === "postgres" ? orders.forNoKeyUpdate() : orders).execute();
}

/** Returns an order and locks it as `lockOrders` does, or returns null when there is none. */
export const lockOrder = async (trx: Trx, id: number): Promise<OrderRow | null> =>
  (await lockOrders(trx, [id]))[0] ?? null;

export const findOrder = async (db: DbOrTrx, id: number): Promise<OrderRow | null> =>
  (await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;

/** Returns these orders, by id. */
export const listOrdersById = (db: DbOrTrx, ids: readonly number[]): Promise<OrderRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom("orders").selectAll().where("id", "in", ids).orderBy("id").execute();

/** Returns the order that this user's draft became, or null. */
export async function findOrderByDraft(db: DbOrTrx, draftId: string, userId: number): Promise<OrderRow | null> {
  const row = await db
    .selectFrom("orders")
    .selectAll()
    .where("draftId", "=", draftId)
    .where("userId", "=", userId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns the id of another order with this invoice number, or null. No other transaction looks for a number until this one ends, so that
 * two concurrent orders with the same number see each other.
 */
export async function findOtherOrderOfInvoice(trx: Trx, invoiceNumber: string, id: number): Promise<number | null> {
  await takeLock(trx, "invoiceNumber");
  const row = await trx
    .selectFrom("orders")
    .select("id")
    .where("invoiceNumber", "=", invoiceNumber)
    .where("id", "!=", id)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Changes an order that nobody has changed since `seen`, which is its `updatedAt` in ISO format. Returns false when somebody has. */
export async function changeOrder(
  trx: Trx,
  id: number,
  seen: string,
  change: Partial<Omit<NewRow<"orders">, "id" | "updatedAt">>,
  now = new Date(),
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("orders")
    .set({ ...change, updatedAt: now })
    .where("id", "=", id)
    .where("updatedAt", "=", seen)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Changes what a customer corrected in an order, with its columns for search and sorting. Returns false when somebody changed the order since
 * `seen`.
 */
export async function storeCorrectedOrder(
  trx: Trx,
  { id, seen }: { id: number; seen: string },
  change: Partial<NewRow<"orders">> & Pick<NewRow<"orders">, "company" | "countryId">,
  now: Date,
): Promise<boolean> {
  const { company, countryId } = change;
  const sorted = {
    sortCompany: foldForSearch(company),
    sortCountry: foldForSearch((await findCountry(trx, countryId))?.name ?? ""),
  };
  if (!(await changeOrder(trx, id, seen, { ...change, ...sorted }, now))) return false;
  await trx.deleteFrom("orderWords").where("orderId", "=", id).execute();
  const words = searchWords(company).map((word) => ({ word, orderId: id }));
  if (words.length > 0) await trx.insertInto("orderWords").values(words).execute();
  return true;
}

/** Stores whether the customer's confirmation was sent at once. */
export async function setOrderNotified(db: DbOrTrx, id: number, isNotified: boolean): Promise<void> {
  await db.updateTable("orders").set({ isNotified }).where("id", "=", id).execute();
}

/**
 * Returns whether this account placed an order since then with this VAT number and country while the VAT service confirmed the number.
 * Orders that the portal makes itself (maintenance, and reissues, which cost nothing) copy an older check and do not count.
 */
export async function wasOrderedWithValidVat(
  db: DbOrTrx,
  { userId, vatNumber, countryId, since }: { userId: number; vatNumber: string; countryId: number; since: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where("userId", "=", userId)
    .where("createdAt", ">=", since.toISOString())
    .where("vatNumber", "=", vatNumber)
    .where("countryId", "=", countryId)
    .where("vatNumberChecked", "=", true)
    .where("isMaintenance", "=", false)
    .where("priceCents", ">", 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether staff have accepted an order of this company: one that is invoiced or paid, or whose certificate was issued. */
export async function hasAcceptedOrder(db: DbOrTrx, companyId: number): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("orders.id")
    .where("orders.companyId", "=", companyId)
    .where((eb) =>
      eb.or([
        eb("orders.status", "in", ["Invoiced", "Paid"]),
        eb.exists(
          eb
            .selectFrom("certificates")
            .select("certificates.id")
            .whereRef("certificates.orderId", "=", "orders.id")
            .where("certificates.issuedAt", "is not", null),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

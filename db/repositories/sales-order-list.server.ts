import { type RawBuilder, sql, type SqlBool } from "kysely";
import { GLANCED, type SortOrder } from "~/lib/list-params";
import { byteOrdered } from "../byte-order.server";
import { type DbOrTrx } from "../connection.server";
import { isBehind, type Position } from "../keyset.server";
import { begins, escapeLike } from "../like";
import { inOrderOf } from "../page.server";
import { type OrderStatus, type OrderType } from "../tables";
import { PURCHASE_ORDER_TYPE } from "../tables/orders";
import { idsContaining } from "../text-search.server";

/** The conditions for sales orders. Null and empty values match every order. */
export interface SalesOrderConditions {
  id: number | null;
  companyId: number | null;
  /** ISO timestamps. `from` is inclusive, `to` is exclusive. */
  from: string | null;
  to: string | null;
  status: OrderStatus | null;
  orderType: OrderType | null;
  /** Only orders of codes. */
  isOfCodes: boolean;
  /** Only orders with an invoice or credit note of this period within one year. `from` is inclusive, `to` is exclusive. */
  invoiced: { from: string; to: string } | null;
  /** Only orders on which more was paid than they cost, and which were not cancelled. */
  isOverpaid: boolean;
  countryId: number | null;
  /** Only orders that were changed at this time or later, an ISO timestamp. */
  updatedSince?: string | null;
  /** A part of the user name or email, folded (`foldForSearch`). */
  user: string;
  /** Beginnings of words in the company (`searchWords`). */
  companyWords: readonly string[];
}

const COLUMNS = {
  orderNumber: "id",
  orderType: "order_type",
  company: "sort_company",
  orderDate: "created_at",
  orderTotal: "total_cents",
  orderStatus: "status",
  userName: "sort_user",
  country: "sort_country",
} as const;

export type SalesOrderSortKey = keyof typeof COLUMNS | "invoiceNumber";

/** Words that more orders have are checked order by order. For words that fewer orders have, the search begins with the word. */
const MOST_OF_A_WORD = 20_000;
/** Up to this number, the found orders are sorted. For more orders, the index of the sort order is read. */
export const MOST_SORTED = 12_000;

const order = (column: string) => sql.ref(`orders.${column}`);

const hasBeginning = (word: string) => begins(sql.ref("order_words.word"), word);

/** Returns how many rows there are. Counting stops at `limit`. */
async function countRows(db: DbOrTrx, rows: RawBuilder<unknown>, limit: number): Promise<number> {
  const counted = sql<{ count: number }>`select count(*) as count from (${rows} limit ${limit}) as found`;
  return (await counted.execute(db)).rows[0]?.count ?? 0;
}

/**
 * Returns a lower bound of how many orders have a word with this beginning. It counts the orders of the middle one of these words: an order
 * has each word once, but can have several that begin like this.
 */
async function countMiddleWord(db: DbOrTrx, word: string): Promise<number> {
  const middle = sql`(select order_words.word from order_words where ${hasBeginning(word)}
    order by order_words.word limit 1 offset ${MOST_OF_A_WORD / 2})`;
  return countRows(db, sql`select 1 from order_words where order_words.word = ${middle}`, MOST_OF_A_WORD);
}

async function hasWord(db: DbOrTrx, word: string): Promise<Pick<Condition, "holds" | "ids" | "atLeast">> {
  const rows = sql`select order_words.order_id from order_words where ${hasBeginning(word)}`;
  if ((await countRows(db, rows, MOST_OF_A_WORD)) < MOST_OF_A_WORD) {
    // An order can have several words that begin like this.
    const ids = sql`select distinct order_words.order_id as id from order_words where ${hasBeginning(word)}`;
    return { holds: sql<SqlBool>`${order("id")} in (${rows})`, ids };
  }
  const holds = sql<SqlBool>`(select 1 from order_words where order_words.order_id = ${order("id")} and ${hasBeginning(word)} limit 1) = 1`;
  return { holds, atLeast: await countMiddleWord(db, word) };
}

function hasUser(text: string): RawBuilder<SqlBool> {
  const pattern = `%${escapeLike(text)}%`;
  const is = (column: RawBuilder<unknown>) => sql`${column} like ${pattern} escape '\\'`;
  const [username, email] = [sql`users.sort_username`, sql`lower(users.email)`];
  // The text that lists search contains both, and an index finds its parts.
  return sql<SqlBool>`${order("user_id")} in (select users.id from users
    where users.id in (${idsContaining("users", text)}) and (${is(username)} or ${is(email)}))`;
}

const hasInvoiceOf = ({ from, to }: { from: string; to: string }) => sql<SqlBool>`${order("id")} in (
  select invoices.order_id from invoices where invoices.year = ${Number(from.slice(0, 4))}
    and invoices.issued_at >= ${from} and invoices.issued_at < ${to})`;

/** Written as in the index of these orders. */
const IS_OVERPAID = sql<SqlBool>`orders.payment_cents > orders.total_cents and orders.status <> 'Cancelled'`;

/** Selects the ids of the orders on which more was paid than they cost. */
export const overpaidOrders = (db: DbOrTrx) => db.selectFrom("orders").where(IS_OVERPAID).select("orders.id");

type FilteredColumn =
  | "id"
  | "company_id"
  | "created_at"
  | "status"
  | "order_type"
  | "purchase_order_type"
  | "country_id"
  | "user_id"
  | "updated_at"
  | "company";

interface Condition {
  column: FilteredColumn;
  holds: RawBuilder<SqlBool>;
  /** The statement that finds the ids of the orders that meet the condition, without a look at the orders. */
  ids?: RawBuilder<unknown>;
  /** At least this many orders meet the condition. */
  atLeast?: number;
}

/** The conditions, prepared once for all statements of a page, because each word has to be counted. */
export type PreparedConditions = readonly Condition[];

export async function prepareConditions(db: DbOrTrx, wanted: SalesOrderConditions): Promise<PreparedConditions> {
  const { id, companyId, from, to, status, orderType, countryId, user, companyWords, isOfCodes, invoiced } = wanted;
  const conditions: Condition[] = [];
  const is = (column: FilteredColumn, value: string | number | null) => {
    if (value !== null) conditions.push({ column, holds: sql`${order(column)} = ${value}` });
  };
  is("id", id);
  is("company_id", companyId);
  if (from !== null) conditions.push({ column: "created_at", holds: sql`${order("created_at")} >= ${from}` });
  if (to !== null) conditions.push({ column: "created_at", holds: sql`${order("created_at")} < ${to}` });
  is("status", status);
  is("order_type", orderType);
  is("country_id", countryId);
  is("purchase_order_type", isOfCodes ? PURCHASE_ORDER_TYPE.code : null);
  if (wanted.updatedSince)
    conditions.push({ column: "updated_at", holds: sql`${order("updated_at")} >= ${wanted.updatedSince}` });
  if (wanted.isOverpaid) conditions.push({ column: "id", holds: IS_OVERPAID });
  if (invoiced) conditions.push({ column: "id", holds: hasInvoiceOf(invoiced) });
  if (user !== "") conditions.push({ column: "user_id", holds: hasUser(user) });
  for (const word of companyWords) conditions.push({ column: "company", ...(await hasWord(db, word)) });
  return conditions;
}

const all = (conditions: PreparedConditions) =>
  sql.join(
    conditions.map(({ holds }) => holds),
    sql` and `,
  );

const where = (conditions: PreparedConditions) => (conditions.length === 0 ? sql`` : sql`where ${all(conditions)}`);

/** Returns a statement for the ids of the orders that meet the conditions, in no particular order. */
function idsStatement(conditions: PreparedConditions): RawBuilder<unknown> {
  const [only, ...others] = conditions;
  return others.length === 0 && only?.ids ? only.ids : sql`select orders.id from orders ${where(conditions)}`;
}

/** Returns a statement for the ids of orders that meet the conditions, at most `limit`, in no particular order. */
export const foundStatement = (conditions: PreparedConditions, limit: number) =>
  sql<{ id: number }>`${idsStatement(conditions)} limit ${limit}`;

/** Returns how many orders meet the conditions. Counting stops at `limit`. */
export async function countSalesOrders(db: DbOrTrx, conditions: PreparedConditions, limit: number): Promise<number> {
  const [only, ...others] = conditions;
  if (others.length === 0 && (only?.atLeast ?? 0) >= limit) return limit;
  return countRows(db, idsStatement(conditions), limit);
}

const EQUAL = ["status", "order_type", "country_id"] as const;

/**
 * For each sort order, the search conditions that can be the first column of its index, so that only a part of the index is read. The
 * order number and the order date have indexes that begin with the status, the type and the country.
 */
const LEADING: Partial<Record<SalesOrderSortKey, readonly FilteredColumn[]>> = {
  orderNumber: EQUAL,
  orderDate: EQUAL,
  orderStatus: ["status"],
  orderType: ["order_type"],
  country: ["country_id"],
};

/** Returns the conditions that the index of this sort order begins with, and the others. */
function split(conditions: PreparedConditions, key: SalesOrderSortKey): [PreparedConditions, PreparedConditions] {
  const equal = LEADING[key]?.find((column) => conditions.some((condition) => condition.column === column));
  const leads = ({ column }: PreparedConditions[number]) =>
    column === equal || (key === "orderDate" && column === "created_at");
  return [conditions.filter(leads), conditions.filter((condition) => !leads(condition))];
}

const invoiceColumn = () => byteOrdered(sql<string>`coalesce(${order("invoice_number")}, '')`);

/**
 * Returns the `order by` list. If `leading` restricts the orders to one country, the country's name is equal for all and its id is used
 * instead.
 */
function sortedBy(
  { key, direction }: SortOrder<SalesOrderSortKey>,
  leading: PreparedConditions = [],
): RawBuilder<unknown> {
  const way = sql.raw(direction);
  if (key === "orderNumber") return sql`${order("id")} ${way}`;
  const isOneCountry = key === "country" && leading.length > 0;
  const column = key === "invoiceNumber" ? invoiceColumn() : order(isOneCountry ? "country_id" : COLUMNS[key]);
  return sql`${column} ${way}, ${order("id")} ${way}`;
}

export interface SalesOrderWindow {
  sort: SortOrder<SalesOrderSortKey>;
  offset: number;
  limit: number;
}

/**
 * Returns a statement for one page of the order ids. Rows with equal values are sorted by id. Few orders are found first and then sorted;
 * `cross join` keeps SQLite from looking for them in the sort order. For many orders the index of the sort order is read until the page is
 * full. `case` keeps both databases from using an index for the other conditions, and `<> 0` keeps them from assuming that few orders meet
 * these.
 * @param total How many orders there are, counted to more than MOST_SORTED at least. For a glance, some of them are sorted.
 */
export function pageStatement(
  conditions: PreparedConditions,
  { sort, offset, limit }: SalesOrderWindow,
  total: number | "glance",
): RawBuilder<{ id: number }> {
  const window = sql`limit ${limit} offset ${offset}`;
  const most = total === "glance" ? GLANCED : MOST_SORTED;
  if (conditions.length > 0 && (total === "glance" || total <= most))
    return sql`with found as materialized (${foundStatement(conditions, most + 1)})
      select orders.id from found cross join orders where orders.id = found.id order by ${sortedBy(sort)} ${window}`;
  const [leading, others] = split(conditions, sort.key);
  const checked = { column: "id", holds: sql<SqlBool>`case when ${all(others)} then 1 else 0 end <> 0` } as const;
  const read = where(others.length === 0 ? leading : [...leading, checked]);
  return sql`select orders.id from orders ${read} order by ${sortedBy(sort, leading)} ${window}`;
}

/** Returns one page of the ids of the orders that meet the conditions (`pageStatement`). */
export async function listSalesOrderIds(
  db: DbOrTrx,
  conditions: PreparedConditions,
  window: SalesOrderWindow,
  total: number | "glance",
): Promise<number[]> {
  return (await pageStatement(conditions, window, total).execute(db)).rows.map(({ id }) => id);
}

/** A part of the list: the newest order first, or the oldest change first. */
export interface SalesOrderPart {
  by: "createdAt" | "updatedAt";
  /** The row behind which the part begins, or null for the beginning. */
  behind: Position | null;
  limit: number;
}

/** Returns the statement for the ids of a part of the list. */
export function salesOrderPartStatement(
  conditions: PreparedConditions,
  { by, behind, limit }: SalesOrderPart,
): RawBuilder<{ id: number }> {
  const direction = by === "updatedAt" ? "asc" : "desc";
  const [at, id, way] = [order(by === "updatedAt" ? "updated_at" : "created_at"), order("id"), sql.raw(direction)];
  const rest = behind
    ? [...conditions, { column: "id" as const, holds: isBehind({ at, id }, behind, direction) }]
    : conditions;
  return sql`select orders.id from orders ${where(rest)} order by ${at} ${way}, ${id} ${way} limit ${limit}`;
}

/** Returns a part of the list of orders that meet the conditions. */
export async function listSalesOrderPart(db: DbOrTrx, conditions: PreparedConditions, part: SalesOrderPart) {
  const { rows } = await salesOrderPartStatement(conditions, part).execute(db);
  return listSalesOrders(
    db,
    rows.map(({ id }) => id),
  );
}

/** Returns the ids above `after` of the orders that meet the conditions, by id. */
export async function listSalesOrdersAfter(
  db: DbOrTrx,
  conditions: PreparedConditions,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const behind = sql<SqlBool>`${order("id")} > ${after}`;
  const read = where([...conditions, { column: "id", holds: behind }]);
  const statement = sql<{ id: number }>`select orders.id from orders ${read} order by orders.id limit ${limit}`;
  return (await statement.execute(db)).rows.map(({ id }) => id);
}

/** Returns the columns that tables and files show of these orders, in the given order. Missing orders are left out. */
export async function listSalesOrders(db: DbOrTrx, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.userId")
    .innerJoin("countries", "countries.id", "orders.countryId")
    .selectAll("orders")
    .select(["users.username", "users.email", "countries.name as country"])
    .where("orders.id", "in", ids)
    .execute();
  return inOrderOf(ids, rows);
}

export type SalesOrderListRow = Awaited<ReturnType<typeof listSalesOrders>>[number];

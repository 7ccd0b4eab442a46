import { type RawBuilder, sql, type SqlBool } from "kysely";
import { escapeLike, type SortOrder } from "~/lib/list-params";
import { byteOrdered } from "../byte-order.server";
import { type DbOrTrx } from "../connection.server";
import { type OrderStatus, type OrderType } from "../tables";

/** What a sales order must meet; null and empty where it does not matter. */
export interface SalesOrderConditions {
  id: number | null;
  /** ISO moments: from (inclusive), to (exclusive). */
  from: string | null;
  to: string | null;
  status: OrderStatus | null;
  orderType: OrderType | null;
  countryId: number | null;
  /** A part of the user name or e-mail, folded (`foldForSearch`). */
  user: string;
  /** Beginnings of words of the company (`searchWords`). */
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

/** A word that more orders have is looked up order by order; one that fewer have is where the search begins. */
const MOST_OF_A_WORD = 20_000;
/** Up to here the orders that are found are sorted; of more than that the index of the order is read. */
const MOST_SORTED = 10_000;

const order = (column: string) => sql.ref(`orders.${column}`);

const begins = (word: string) =>
  sql<SqlBool>`order_words.word >= ${word} and order_words.word < ${`${word}\u{10FFFF}`}`;

/** How many rows there are; counting ends at `limit`. */
async function countRows(db: DbOrTrx, rows: RawBuilder<unknown>, limit: number): Promise<number> {
  const counted = sql<{ count: number }>`select count(*) as count from (${rows} limit ${limit}) as found`;
  return (await counted.execute(db)).rows[0]?.count ?? 0;
}

/** How many orders surely have the word that lies in the middle of those that begin so: an order has a word once, but others beside it. */
async function countMiddleWord(db: DbOrTrx, word: string): Promise<number> {
  const middle = sql`(select order_words.word from order_words where ${begins(word)}
    order by order_words.word limit 1 offset ${MOST_OF_A_WORD / 2})`;
  return countRows(db, sql`select 1 from order_words where order_words.word = ${middle}`, MOST_OF_A_WORD);
}

async function hasWord(db: DbOrTrx, word: string): Promise<Pick<Condition, "holds" | "atLeast">> {
  const rows = sql`select order_words.order_id from order_words where ${begins(word)}`;
  if ((await countRows(db, rows, MOST_OF_A_WORD)) < MOST_OF_A_WORD)
    return { holds: sql<SqlBool>`${order("id")} in (${rows})` };
  const holds = sql<SqlBool>`(select 1 from order_words where order_words.order_id = ${order("id")} and ${begins(word)} limit 1) = 1`;
  return { holds, atLeast: await countMiddleWord(db, word) };
}

function hasUser(text: string): RawBuilder<SqlBool> {
  const pattern = `%${escapeLike(text)}%`;
  const is = (column: RawBuilder<unknown>) => sql`${column} like ${pattern} escape '\\'`;
  const [username, email] = [sql`users.sort_username`, sql`lower(users.email)`];
  return sql<SqlBool>`${order("user_id")} in (select users.id from users where ${is(username)} or ${is(email)})`;
}

type FilteredColumn = "id" | "created_at" | "status" | "order_type" | "country_id" | "user_id" | "company";

interface Condition {
  column: FilteredColumn;
  holds: RawBuilder<SqlBool>;
  /** So many orders meet it, or more. */
  atLeast?: number;
}

/** The conditions, made once for the statements of a page: each word is measured. */
export type PreparedConditions = readonly Condition[];

export async function prepareConditions(db: DbOrTrx, wanted: SalesOrderConditions): Promise<PreparedConditions> {
  const { id, from, to, status, orderType, countryId, user, companyWords } = wanted;
  const conditions: Condition[] = [];
  const is = (column: FilteredColumn, value: string | number | null) => {
    if (value !== null) conditions.push({ column, holds: sql`${order(column)} = ${value}` });
  };
  is("id", id);
  if (from !== null) conditions.push({ column: "created_at", holds: sql`${order("created_at")} >= ${from}` });
  if (to !== null) conditions.push({ column: "created_at", holds: sql`${order("created_at")} < ${to}` });
  is("status", status);
  is("order_type", orderType);
  is("country_id", countryId);
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

/** The ids of orders that meet them, at most `limit`, in no order. */
export const foundStatement = (conditions: PreparedConditions, limit: number) =>
  sql<{ id: number }>`select orders.id from orders ${where(conditions)} limit ${limit}`;

/** How many orders meet them; counting ends at `limit`. */
export async function countSalesOrders(db: DbOrTrx, conditions: PreparedConditions, limit: number): Promise<number> {
  const [only, ...others] = conditions;
  if (others.length === 0 && (only?.atLeast ?? 0) >= limit) return limit;
  return countRows(db, sql`select orders.id from orders ${where(conditions)}`, limit);
}

const EQUAL = ["status", "order_type", "country_id"] as const;

/**
 * What is searched for of what an order is sorted by: the index holds one after the other, so only that part of it is read. The
 * number and the time follow status, type and country in indexes of their own.
 */
const LEADING: Partial<Record<SalesOrderSortKey, readonly FilteredColumn[]>> = {
  orderNumber: EQUAL,
  orderDate: EQUAL,
  orderStatus: ["status"],
  orderType: ["order_type"],
  country: ["country_id"],
};

/** The conditions that the index of this order begins with, and the rest. */
function split(conditions: PreparedConditions, key: SalesOrderSortKey): [PreparedConditions, PreparedConditions] {
  const equal = LEADING[key]?.find((column) => conditions.some((condition) => condition.column === column));
  const leads = ({ column }: PreparedConditions[number]) =>
    column === equal || (key === "orderDate" && column === "created_at");
  return [conditions.filter(leads), conditions.filter((condition) => !leads(condition))];
}

const invoiceColumn = () => byteOrdered(sql<string>`coalesce(${order("invoice_number")}, '')`);

/** In: `leading`, conditions of which those on one country make its name the same for all. */
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
 * One page of the ids, equal ones in the order of their ids. In: `total`, how many there are. Few are found first and then sorted; of many
 * the index of the order is read until the page is full, and no other one: `case` keeps both databases from those of the conditions
 * that it does not begin with, and `<> 0` from the guess that few meet them.
 */
export function pageStatement(
  conditions: PreparedConditions,
  { sort, offset, limit }: SalesOrderWindow,
  total: number,
): RawBuilder<{ id: number }> {
  const window = sql`limit ${limit} offset ${offset}`;
  if (conditions.length > 0 && total <= MOST_SORTED)
    return sql`with found as materialized (${foundStatement(conditions, MOST_SORTED + 1)})
      select orders.id from found join orders on orders.id = found.id order by ${sortedBy(sort)} ${window}`;
  const [leading, others] = split(conditions, sort.key);
  const checked = { column: "id", holds: sql<SqlBool>`case when ${all(others)} then 1 else 0 end <> 0` } as const;
  const read = where(others.length === 0 ? leading : [...leading, checked]);
  return sql`select orders.id from orders ${read} order by ${sortedBy(sort, leading)} ${window}`;
}

/** One page of the ids of the orders that meet the conditions (`pageStatement`). */
export async function listSalesOrderIds(
  db: DbOrTrx,
  conditions: PreparedConditions,
  window: SalesOrderWindow,
  total: number,
): Promise<number[]> {
  return (await pageStatement(conditions, window, total).execute(db)).rows.map(({ id }) => id);
}

/** The ids of the orders behind `after` that meet the conditions, in the order of their ids. */
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

/** What lists and files show of these orders, in this order; orders that are missing are left out. */
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
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
}

export type SalesOrderListRow = Awaited<ReturnType<typeof listSalesOrders>>[number];

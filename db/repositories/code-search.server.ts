import { type RawBuilder, sql, type SqlBool } from "kysely";
import { type SortOrder } from "~/lib/list-params";
import { byteOrdered } from "../byte-order.server";
import { type DbOrTrx } from "../connection.server";
import { begins } from "../like";
import { type CodeWordTable } from "../tables";

/** One condition of a search. An index finds the codes that meet it. */
export type CodeCondition =
  /** A word that begins with the prefix (`searchWords`). */
  | { by: "word"; field: CodeWordTable["field"]; prefix: string }
  /** Beginnings of the code and sub-code, "" for any. '00' stands for the entity itself. */
  | { by: "code"; code: string; subcode: string }
  | { by: "country"; countryId: number };

/** The most codes that a search finds, so that counting and sorting take no longer in a larger register. */
export const MOST_FOUND = 1000;

/** Counting how many codes meet a condition stops here. The search begins with the condition that the fewest codes meet. */
const MOST_MEASURED = 20_000;

/** Where the codes that meet a condition are found: the table, the column with the id of the code, and the order of the index. */
const SOURCES = {
  word: { table: "code_words", id: "code_id", order: ["word", "code_id"] },
  code: { table: "codes", id: "id", order: ["code", "subcode"] },
  country: { table: "codes", id: "id", order: ["country_id", "id"] },
} as const;

function meets(row: string, condition: CodeCondition): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  if (condition.by === "country") return sql`${column("country_id")} = ${condition.countryId}`;
  if (condition.by === "word")
    return sql`${column("field")} = ${condition.field} and ${begins(column("word"), condition.prefix)}`;
  const { code, subcode } = condition;
  const ofCode = begins(column("code"), code);
  if (subcode === "") return ofCode;
  const ofEntity = "00".startsWith(subcode) ? sql`${column("subcode")} = ''` : sql`1 = 0`;
  return sql`${ofCode} and (${begins(column("subcode"), subcode)} or ${ofEntity})`;
}

/** Returns an expression that checks one code by its id, so that no database starts with a condition that many codes meet. */
function isMet(id: RawBuilder<unknown>, condition: CodeCondition): RawBuilder<SqlBool> {
  const source = SOURCES[condition.by];
  const found = sql`select 1 from ${sql.table(source.table)} as met
    where ${sql.ref(`met.${source.id}`)} = ${id} and ${meets("met", condition)} limit 1`;
  return sql`(${found}) = 1`;
}

/**
 * Returns an expression that holds for the first of several words of a code that begin with the prefix, so that each code is found once.
 */
const isFirstWord = ({ field, prefix }: CodeCondition & { by: "word" }): RawBuilder<SqlBool> =>
  sql`(select 1 from code_words as earlier where earlier.code_id = code_words.code_id and earlier.field = ${field}
    and earlier.word >= ${prefix} and earlier.word < code_words.word limit 1) is null`;

/** Returns a statement for the ids of the codes that meet all conditions, in the order of the index of the first one. */
function listed(first: CodeCondition, others: readonly RawBuilder<SqlBool>[], limit: number) {
  const { table, id, order } = SOURCES[first.by];
  const ref = (name: string) => sql.ref(`${table}.${name}`);
  return sql<{ id: number }>`select ${ref(id)} as id from ${sql.table(table)}
    where ${sql.join([meets(table, first), ...others], sql` and `)}
    order by ${sql.join(order.map(ref))} limit ${limit}`;
}

/** Returns a statement for the ids of the codes that meet `first` and all the others, in the order of the index of `first`. */
export function searchStatement(first: CodeCondition, others: readonly CodeCondition[], limit: number) {
  const { table, id } = SOURCES[first.by];
  const met = others.map((other) => isMet(sql.ref(`${table}.${id}`), other));
  return listed(first, first.by === "word" ? [...met, isFirstWord(first)] : met, limit);
}

async function measure(db: DbOrTrx, condition: CodeCondition): Promise<number> {
  const statement = listed(condition, [], MOST_MEASURED);
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${statement}) as found`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns the conditions with the one that the fewest codes meet first. */
async function inOrder(db: DbOrTrx, conditions: readonly CodeCondition[]): Promise<CodeCondition[]> {
  if (conditions.length < 2) return [...conditions];
  const measured: { condition: CodeCondition; count: number }[] = [];
  for (const condition of conditions) measured.push({ condition, count: await measure(db, condition) });
  return measured.sort((one, other) => one.count - other.count).map(({ condition }) => condition);
}

/**
 * Returns the ids of the codes that meet every condition, at most MOST_FOUND, and whether there are more. `conditions` has at least one
 * element. When there are more, both databases return the same ids: the first ones in the index of the condition that the fewest codes
 * meet.
 */
export async function searchCodes(db: DbOrTrx, conditions: readonly CodeCondition[]) {
  const [first, ...others] = await inOrder(db, conditions);
  if (!first) return { ids: [], hasMore: false };
  const { rows } = await searchStatement(first, others, MOST_FOUND + 1).execute(db);
  const ids = rows.map(({ id }) => id).slice(0, MOST_FOUND);
  return { ids, hasMore: rows.length > MOST_FOUND };
}

const COLUMNS = {
  code: "codes.code",
  subcode: "codes.subcode",
  company: "codes.sortCompany",
  entityName: "codes.sortEntity",
  city: "codes.sortCity",
  country: "countries.sortName",
  status: "codes.status",
} as const;

export interface FoundCodeWindow {
  sort: SortOrder<keyof typeof COLUMNS>;
  offset: number;
  limit: number;
}

/** Returns the query of `listFoundCodes`. */
export function foundCodes(db: DbOrTrx, ids: readonly number[], { sort, offset, limit }: FoundCodeWindow) {
  const columns = [COLUMNS[sort.key], "codes.code", "codes.subcode"] as const;
  let query = db
    // The codes are selected apart from the sorting. Otherwise PostgreSQL would read the whole register in the order of the sort index to
    // find the few codes.
    .with(
      (cte) => cte("found").materialized(),
      (whole) => whole.selectFrom("codes").selectAll().where("id", "in", ids),
    )
    .selectFrom("found as codes")
    .innerJoin("companies", "companies.id", "codes.companyId")
    .leftJoin("countries", "countries.id", "codes.countryId")
    .leftJoin("addresses", (join) =>
      join.on((eb) => eb("addresses.id", "=", eb.fn.coalesce("codes.physicalAddressId", "companies.companyAddressId"))),
    )
    .select(["codes.id", "codes.companyId", "codes.code", "codes.subcode", "codes.entityName", "codes.status"])
    .select(["companies.name as company", "addresses.city", "countries.name as country"]);
  for (const column of columns)
    query = query.orderBy(
      (eb) => byteOrdered(eb.ref(column)),
      (order) => (sort.direction === "asc" ? order.asc() : order.desc()).nullsLast(),
    );
  return query.limit(limit).offset(offset);
}

/**
 * Returns one page of these codes. `ids` has at least one element. Rows with equal values are sorted by code and sub-code, and codes
 * without a country come last when sorting by country.
 */
export const listFoundCodes = (db: DbOrTrx, ids: readonly number[], window: FoundCodeWindow) =>
  foundCodes(db, ids, window).execute();

export type FoundCodeRow = Awaited<ReturnType<typeof listFoundCodes>>[number];

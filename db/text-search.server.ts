import { type Expression, type RawBuilder, sql, type SqlBool } from "kysely";
import { GLANCED } from "~/lib/list-params";
import { type DbOrTrx, getConnection } from "./connection.server";
import { escapeLike } from "./like";

/**
 * The columns that are searched for parts of words, with their table. The migrations 0022-list-indexes and 0054-certificate-contacts make an
 * index of trigrams for each of these names. The contacts of certificates have an index of their own (docs/decisions/0072).
 */
const SEARCHED = {
  certificates: { table: "certificates", columns: ["search_text"] },
  certificate_contacts: { table: "certificates", columns: ["contact_search_text"] },
  codes: { table: "codes", columns: ["search_text"] },
  users: { table: "users", columns: ["search_text"] },
  companies: {
    table: "companies",
    columns: ["sort_name", "lower(company_registration_number)", "lower(tax_number)", "lower(vat_number)"],
  },
} as const;

/** What is searched together: the name of an index of trigrams. */
export type Searched = keyof typeof SEARCHED;

/** An index of trigrams finds texts of at least this many characters. */
const TRIGRAM = 3;

/** A search with more matches is common: its rows are checked one by one in the sort order of the list until the page is full. */
const MOST_FOUND = 12_000;

const isPostgres = () => getConnection().dialect === "postgres";

/** Returns whether a row contains a text, which is folded (`foldForSearch`). */
export const containsText = (searched: Searched, text: string): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    SEARCHED[searched].columns.map((column) => sql`${sql.raw(column)} like ${`%${escapeLike(text)}%`} escape '\\'`),
    sql` or `,
  )})`;

/** Selects the ids of the rows that contain a text, which is folded (`foldForSearch`). */
export function idsContaining(searched: Searched, text: string): RawBuilder<{ id: number }> {
  if (!isPostgres() && [...text].length >= TRIGRAM) {
    const index = sql.table(`${searched}_trigrams`);
    return sql`select rowid as id from ${index} where ${index} match ${`"${text.replaceAll('"', '""')}"`}`;
  }
  return sql`select id from ${sql.table(SEARCHED[searched].table)} where ${containsText(searched, text)}`;
}

/** Returns the ids that these statements find together, until they are more than `most`. */
async function findUpTo(db: DbOrTrx, statements: readonly RawBuilder<{ id: number }>[], most: number) {
  const found = new Set<number>();
  for (const statement of statements) {
    // All ids come out of the database as one value, because an object for each of them would take longer than finding them.
    const list = isPostgres() ? sql`coalesce(json_agg(id), '[]')::text` : sql`json_group_array(id)`;
    const { rows } = await sql<{ ids: string }>`select ${list} as ids
      from (select id from (${statement}) as matches limit ${most + 1}) as found`.execute(db);
    for (const id of JSON.parse(rows[0]?.ids ?? "[]") as number[]) found.add(id);
    if (found.size > most) break;
  }
  return [...found];
}

/** Returns the ids that these statements find together, or null when they are common: more than MOST_FOUND, or for a glance GLANCED. */
export async function findRare(
  db: DbOrTrx,
  statements: readonly RawBuilder<{ id: number }>[],
  isGlance = false,
): Promise<number[] | null> {
  const most = isGlance ? GLANCED : MOST_FOUND;
  const ids = await findUpTo(db, statements, most);
  return ids.length > most ? null : ids;
}

/** A word of a search by which rows were found: its number among the words, and the ids of its rows. */
export interface FoundByWord {
  word: number;
  ids: readonly number[];
}

/**
 * Finds the rows of the rarest word of a search. Returns null when all words are common, or there are none.
 *
 * @param words For each word the statements that find its rows, one for each way in which it can be understood.
 * @param isGlance Whether some rows of the only word are enough. Those of one of several words may lack the others.
 */
export async function findByRarest(
  db: DbOrTrx,
  words: readonly (readonly RawBuilder<{ id: number }>[])[],
  isGlance = false,
): Promise<FoundByWord | null> {
  const [only, ...others] = words;
  if (isGlance && only && others.length === 0) return { word: 0, ids: await findUpTo(db, only, GLANCED) };
  let rarest: FoundByWord | null = null;
  for (const [word, statements] of words.entries()) {
    const ids = await findRare(db, statements);
    if (ids && (!rarest || ids.length < rarest.ids.length)) rarest = { word, ids };
  }
  return rarest;
}

/** A search with its words, and its other parts, which are undefined or null where they restrict nothing. */
interface WordSearch {
  words: readonly unknown[];
  found?: FoundByWord | null | undefined;
  others?: Readonly<Record<string, unknown>>;
}

/**
 * Returns how many rows a search has, at most `limit`. They are counted by `count` unless its only word has found all of them, and nothing else
 * restricts it.
 */
export function countFound(
  { words, found, others = {} }: WordSearch,
  limit: number | undefined,
  count: () => Promise<number>,
): Promise<number> {
  const isRestricted = Object.values(others).some((value) => value !== undefined && value !== null);
  if (!found || words.length !== 1 || isRestricted) return count();
  return Promise.resolve(Math.min(found.ids.length, limit ?? Infinity));
}

/**
 * Returns the sort order of a page. Rows that were found by something else are few and are sorted: in place of the column comes an expression
 * that no index has, because PostgreSQL would otherwise read the index of the sort order until it comes upon them.
 */
export const sortOrderOf = <Value>(column: Expression<Value>, areFound: boolean): Expression<Value> =>
  areFound ? sql<Value>`(select ${column})` : column;

/** Returns a condition that the id is one of many. It has one parameter, however many ids there are. */
export const isOneOf = (id: Expression<number>, ids: readonly number[]): RawBuilder<SqlBool> =>
  isPostgres()
    ? sql`${id} = any(${`{${ids.join(",")}}`}::integer[])`
    : sql`${id} in (select value from json_each(${JSON.stringify(ids)}))`;

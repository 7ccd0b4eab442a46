import { type RawBuilder, sql, type SqlBool } from "kysely";
import { type SortOrder } from "~/lib/list-params";
import { type DbOrTrx } from "../connection.server";
import { countUpTo } from "../count.server";
import { escapeLike } from "../like";
import { countFound, findByRarest, type FoundByWord, idsContaining, isOneOf, sortOrderOf } from "../text-search.server";
import { ownsSomething } from "./members.server";

/** One word of a search: folded (`foldForSearch`), and as the number of a company if it can be one. */
export interface CompanyTerm {
  text: string;
  number: number | null;
}

const COLUMNS = { name: "companies.sortName", number: "companies.id" } as const;

/** Which companies a list has. */
export interface CompanySearch {
  /** Every word must match. */
  terms: readonly CompanyTerm[];
  /** The ids of companies to leave out. */
  without: readonly number[];
  /** The companies of the rarest word (`findCompanies`). */
  found?: FoundByWord | null;
}

export interface CompanyWindow {
  sort: SortOrder<keyof typeof COLUMNS>;
  offset: number;
  limit: number;
}

const NUMBERS = ["companyRegistrationNumber", "taxNumber", "vatNumber"] as const;

/**
 * Returns the search for these words without the companies of these ids. Adds the companies that the rarest of the words finds, so that a
 * search takes no longer among more companies.
 */
export async function findCompanies(
  db: DbOrTrx,
  terms: readonly CompanyTerm[],
  without: readonly number[],
  isGlance = false,
): Promise<CompanySearch> {
  const allowed = without.length === 0 ? sql`` : sql`where not ${isOneOf(sql.ref("id"), without)}`;
  const among = (ids: RawBuilder<{ id: number }>) =>
    sql<{ id: number }>`select id from (${ids}) as matching ${allowed}`;
  const words = terms.map(({ text, number }) => [
    ...(number === null ? [] : [among(sql`select id from companies where id = ${number}`)]),
    among(idsContaining("companies", text)),
  ]);
  return { terms, without, found: await findByRarest(db, words, isGlance) };
}

/** Selects the companies that match every word by name or by one of their numbers. */
function matching(db: DbOrTrx, { terms, without, found }: CompanySearch) {
  let query = db.selectFrom("companies");
  // The rarest word was not looked for in them.
  if (without.length > 0 && !found)
    query = query.where((eb) => sql<SqlBool>`not ${isOneOf(eb.ref("companies.id"), without)}`);
  // A company without details that owns nothing exists only because every account has one. A search finds it, as it finds one that became
  // part of another one.
  if (terms.length === 0)
    query = query
      .where("companies.partOf", "is", null)
      .where((eb) =>
        eb.or([
          eb("companies.companyAddressId", "is not", null),
          eb("companies.companyRegistrationNumber", "!=", ""),
          ...ownsSomething(eb),
        ]),
      );
  if (found) query = query.where((eb) => isOneOf(eb.ref("companies.id"), found.ids));
  for (const { text, number } of terms.filter((_, index) => index !== found?.word)) {
    const pattern = `%${escapeLike(text)}%`;
    query = query.where((eb) =>
      eb.or([
        sql<SqlBool>`${eb.ref("companies.sortName")} like ${pattern} escape '\\'`,
        ...NUMBERS.map((name) => sql<SqlBool>`lower(${eb.ref(`companies.${name}`)}) like ${pattern} escape '\\'`),
        ...(number === null ? [] : [eb("companies.id", "=", number)]),
      ]),
    );
  }
  return query;
}

/** Returns how many companies match the search. Counting stops at `limit`. */
export const countCompanies = (db: DbOrTrx, search: CompanySearch, limit: number): Promise<number> =>
  countFound({ words: search.terms, found: search.found }, limit, () =>
    countUpTo(db, matching(db, search).select("companies.id"), limit),
  );

/** Returns the statement of `listCompanies`. Each sort order has an index. */
export const companiesQuery = (db: DbOrTrx, search: CompanySearch, { sort, offset, limit }: CompanyWindow) =>
  matching(db, search)
    .select(["companies.id", "companies.name", "companies.companyRegistrationNumber", "companies.vatNumber"])
    .select("companies.createdAt")
    .orderBy(sortOrderOf(sql.ref(COLUMNS[sort.key]), Boolean(search.found)), sort.direction)
    .orderBy("companies.id", sort.direction)
    .limit(limit)
    .offset(offset);

/** Returns one page of the companies that match the search. Companies with the same name are sorted by number. */
export const listCompanies = (db: DbOrTrx, search: CompanySearch, window: CompanyWindow) =>
  companiesQuery(db, search, window).execute();

/** Returns how many members each of these companies has, by id, without closed accounts. Companies without members are left out. */
export async function countMembersOf(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.userId")
    .select((eb) => ["memberships.companyId", eb.fn.countAll<number>().as("count")])
    .where("memberships.companyId", "in", ids)
    .where("users.mergedInto", "is", null)
    .groupBy("memberships.companyId")
    .execute();
  return new Map(rows.map(({ companyId, count }) => [companyId, count]));
}

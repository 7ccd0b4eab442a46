import { sql } from "kysely";
import { type SortOrder } from "~/lib/list-params";
import { type DbOrTrx } from "../connection.server";
import { countUpTo } from "../count.server";
import { escapeLike } from "../like";
import { type CodeStatus, type CodeType } from "../tables";
import { countFound, findByRarest, type FoundByWord, idsContaining, isOneOf, sortOrderOf } from "../text-search.server";

/** One word of a search, with each way in which it can be understood. */
export interface CodeTerm {
  /** Folded (`foldForSearch`). */
  text: string;
  statuses: CodeStatus[];
  types: CodeType[];
}

export interface CodeFilter {
  /** Only the codes of this company. When undefined, those of all companies. */
  companyId?: number | undefined;
  /** A row must match every term. */
  terms: readonly CodeTerm[];
  /** The rows of the rarest term (`findCodes`). */
  found?: FoundByWord | null;
}

const COLUMNS = {
  code: "codes.code",
  codeType: "codes.codeType",
  subcode: "codes.subcode",
  company: "codes.sortCompany",
  email: "codes.sortEmail",
  entityName: "codes.sortEntity",
  status: "codes.status",
} as const;

export interface CodeWindow {
  sort: SortOrder<keyof typeof COLUMNS>;
  offset: number;
  limit: number;
}

function filtered(db: DbOrTrx, { companyId, terms, found }: CodeFilter) {
  let query = db.selectFrom("codes");
  if (companyId !== undefined) query = query.where("codes.companyId", "=", companyId);
  if (found) query = query.where((eb) => isOneOf(eb.ref("codes.id"), found.ids));
  for (const { text, statuses, types } of terms.filter((_, index) => index !== found?.word))
    query = query.where((eb) =>
      eb.or([
        sql<boolean>`${eb.ref("codes.searchText")} like ${`%${escapeLike(text)}%`} escape '\\'`,
        ...(statuses.length === 0 ? [] : [eb("codes.status", "in", statuses)]),
        ...(types.length === 0 ? [] : [eb("codes.codeType", "in", types)]),
      ]),
    );
  return query;
}

/** Adds to a filter the codes that its rarest term finds, so that a search takes no longer among more codes. */
export async function findCodes(db: DbOrTrx, filter: CodeFilter, isGlance = false): Promise<CodeFilter> {
  if (filter.companyId !== undefined) return filter;
  const words = filter.terms.map(({ text, statuses, types }) => [
    ...statuses.map((status) => sql<{ id: number }>`select id from codes where status = ${status}`),
    ...types.map((type) => sql<{ id: number }>`select id from codes where code_type = ${type}`),
    idsContaining("codes", text),
  ]);
  return { ...filter, found: await findByRarest(db, words, isGlance) };
}

/** Returns how many codes and sub-codes match the filter. Counting stops at `limit`. */
export function countCodes(db: DbOrTrx, filter: CodeFilter, limit: number): Promise<number> {
  const { terms, found, ...others } = filter;
  return countFound({ words: terms, found, others }, limit, () =>
    countUpTo(db, filtered(db, filter).select("codes.id"), limit),
  );
}

/** Selects what lists show of the codes that match the filter. */
const selectListed = (db: DbOrTrx, filter: CodeFilter) =>
  filtered(db, filter)
    .innerJoin("users", "users.id", "codes.userId")
    .innerJoin("companies", "companies.id", "codes.companyId")
    .select([
      "codes.id",
      "codes.userId",
      "codes.companyId",
      "codes.code",
      "codes.subcode",
      "codes.codeType",
      "codes.status",
      "codes.entityName",
      "codes.sbeCanRegister",
      "codes.sbeMaxNumber",
      "companies.name as company",
      "users.email",
      "users.firstName",
      "users.lastName",
    ]);

/** Returns the statement for one page of the codes. Rows with equal values are sorted by code and sub-code. */
export function codesQuery(db: DbOrTrx, filter: CodeFilter, { sort, offset, limit }: CodeWindow) {
  let query = selectListed(db, filter).limit(limit).offset(offset);
  // Each column once: SQLite would sort all rows by the second mention.
  for (const column of new Set([COLUMNS[sort.key], "codes.code", "codes.subcode"] as const))
    query = query.orderBy(sortOrderOf(sql.ref(column), Boolean(filter.found)), sort.direction);
  return query;
}

/** Returns one page of the codes that match the filter. */
export const listCodes = (db: DbOrTrx, filter: CodeFilter, window: CodeWindow) =>
  codesQuery(db, filter, window).execute();

/** Returns the ids above `after` of the codes that match the filter, by id. */
export async function listCodeIdsAfter(
  db: DbOrTrx,
  filter: CodeFilter,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const query = filtered(db, filter).select("codes.id").where("codes.id", ">", after);
  return (await query.orderBy("codes.id").limit(limit).execute()).map(({ id }) => id);
}

/** Returns what lists show of these codes, by id. */
export const listCodesShown = (db: DbOrTrx, ids: readonly number[]) =>
  selectListed(db, { terms: [] }).where("codes.id", "in", ids).orderBy("codes.id").execute();

export type CodeListRow = Awaited<ReturnType<typeof listCodes>>[number];

/** Returns how many sub-codes each of these codes has, by id. Codes without any are left out. */
export async function countSubcodesOf(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("codes")
    .select((eb) => ["parentId", eb.fn.countAll<number>().as("count")])
    .where("parentId", "in", ids)
    .groupBy("parentId")
    .execute();
  return new Map(rows.map(({ parentId, count }) => [parentId ?? 0, count]));
}

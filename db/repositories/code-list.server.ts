import { sql } from "kysely";
import { escapeLike, type SortOrder } from "~/lib/list-params";
import { type DbOrTrx } from "../connection.server";
import { type CodeStatus, type CodeType } from "../tables";

/** One word of a search, with every way in which it can be meant. */
export interface CodeTerm {
  /** Folded (`foldForSearch`). */
  text: string;
  statuses: CodeStatus[];
  types: CodeType[];
}

export interface CodeFilter {
  /** Only this user's; undefined = everybody's. */
  ownerId?: number;
  /** A row must match each of them. */
  terms: readonly CodeTerm[];
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

function filtered(db: DbOrTrx, { ownerId, terms }: CodeFilter) {
  let query = db.selectFrom("codes");
  if (ownerId !== undefined) query = query.where("codes.userId", "=", ownerId);
  for (const { text, statuses, types } of terms)
    query = query.where((eb) =>
      eb.or([
        sql<boolean>`${eb.ref("codes.searchText")} like ${`%${escapeLike(text)}%`} escape '\\'`,
        ...(statuses.length === 0 ? [] : [eb("codes.status", "in", statuses)]),
        ...(types.length === 0 ? [] : [eb("codes.codeType", "in", types)]),
      ]),
    );
  return query;
}

/** How many codes and sub-codes the filter lets through. */
export const countCodes = async (db: DbOrTrx, filter: CodeFilter): Promise<number> =>
  (
    await filtered(db, filter)
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow()
  ).total;

/** One page of them, as a statement. Equal ones stay in the order of code and sub-code. */
export const codesQuery = (db: DbOrTrx, filter: CodeFilter, { sort, offset, limit }: CodeWindow) =>
  filtered(db, filter)
    .innerJoin("users", "users.id", "codes.userId")
    .select([
      "codes.id",
      "codes.userId",
      "codes.code",
      "codes.subcode",
      "codes.codeType",
      "codes.status",
      "codes.entityName",
      "codes.sbeCanRegister",
      "codes.sbeMaxNumber",
      "users.company",
      "users.email",
    ])
    .orderBy(COLUMNS[sort.key], sort.direction)
    .orderBy("codes.code", sort.direction)
    .orderBy("codes.subcode", sort.direction)
    .limit(limit)
    .offset(offset);

/** One page of them. */
export const listCodes = (db: DbOrTrx, filter: CodeFilter, window: CodeWindow) =>
  codesQuery(db, filter, window).execute();

export type CodeListRow = Awaited<ReturnType<typeof listCodes>>[number];

/** How many sub-codes these codes have, by their ids; codes without any are left out. */
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

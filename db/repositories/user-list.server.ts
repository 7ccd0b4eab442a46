import { sql, type SqlBool } from "kysely";
import { type SortOrder } from "~/lib/list-params";
import { type DbOrTrx } from "../connection.server";
import { countUpTo } from "../count.server";
import { isBehind, type Position } from "../keyset.server";
import { escapeLike } from "../like";
import { readPage } from "../page.server";
import { type StaffRight } from "../tables";
import { countFound, findByRarest, type FoundByWord, idsContaining, isOneOf, sortOrderOf } from "../text-search.server";

export interface UserFilter {
  /** Folded words (`foldForSearch`). An account must match every word. */
  words: readonly string[];
  /** The accounts of the rarest word (`findUsers`). */
  found?: FoundByWord | null;
  /** Only accounts that are in this state at `now`. */
  state?: "Active" | "Disabled" | "Locked" | "Merged" | "Erased";
  /** Only accounts to which this right was granted. */
  right?: StaffRight | "applicant" | "admin";
  /** Only members of this company. */
  companyId?: number;
  /** Only accounts that were changed at this time or later, an ISO timestamp. */
  updatedSince?: string | null;
  now: Date;
}

const COLUMNS = {
  name: "users.sortName",
  company: "users.sortCompany",
  email: "users.email",
  lastLogin: "users.lastLoginAt",
} as const;

export type UserSortKey = keyof typeof COLUMNS;

export interface UserWindow {
  sort: SortOrder<UserSortKey>;
  offset: number;
  limit: number;
}

/** Written as in the indexes of these accounts, because a parameter does not tell SQLite that the index contains them. */
const [IS_ADMIN, IS_DISABLED] = [sql<SqlBool>`users.is_admin`, sql<SqlBool>`users.is_disabled`];

function withRight(db: DbOrTrx, right: UserFilter["right"]) {
  const users = db.selectFrom("users");
  if (right === undefined) return users;
  if (right === "applicant") return users.where("isApplicant", "=", true);
  if (right === "admin") return users.where(IS_ADMIN);
  return users.where("users.id", "in", (eb) => eb.selectFrom("userRights").select("userId").where("right", "=", right));
}

function filtered(db: DbOrTrx, { words, found, state, right, companyId, updatedSince, now }: UserFilter) {
  const timestamp = now.toISOString();
  let query = withRight(db, right);
  if (companyId !== undefined)
    query = query.where("users.id", "in", (eb) =>
      eb.selectFrom("memberships").select("userId").where("memberships.companyId", "=", companyId),
    );
  if (updatedSince) query = query.where("users.updatedAt", ">=", updatedSince);
  if (found) query = query.where((eb) => isOneOf(eb.ref("users.id"), found.ids));
  for (const word of words.filter((_, index) => index !== found?.word))
    query = query.where((eb) => sql<SqlBool>`${eb.ref("searchText")} like ${`%${escapeLike(word)}%`} escape '\\'`);
  if (state === undefined) return query;
  if (state === "Merged") return query.where("mergedInto", "is not", null);
  if (state === "Erased") return query.where("mergedInto", "is", null).where("erasedAt", "is not", null);
  query = query.where("mergedInto", "is", null).where("erasedAt", "is", null);
  if (state === "Disabled") return query.where(IS_DISABLED);
  query = query.where("isDisabled", "=", false);
  if (state === "Locked")
    query = query.where("users.id", "in", (eb) =>
      eb
        .selectFrom("users as locked")
        .select("locked.id")
        .where("locked.lockedUntil", ">", timestamp)
        .union(eb.selectFrom("users as locked").select("locked.id").where("locked.adminLockedAt", "is not", null)),
    );
  if (state === "Active")
    query = query
      .where("adminLockedAt", "is", null)
      .where((eb) => eb.or([eb("lockedUntil", "is", null), eb("lockedUntil", "<=", timestamp)]));
  return query;
}

/** Adds to a filter the accounts that its rarest word finds, so that a search takes no longer among more accounts. */
export async function findUsers(db: DbOrTrx, filter: UserFilter, isGlance = false): Promise<UserFilter> {
  const words = filter.words.map((word) => [idsContaining("users", word)]);
  return { ...filter, found: await findByRarest(db, words, isGlance) };
}

/** Returns how many accounts match the filter. Counting stops at `limit`. */
export function countUsers(db: DbOrTrx, filter: UserFilter, limit: number): Promise<number> {
  const { words, found, now: _, ...others } = filter;
  return countFound({ words, found, others }, limit, () =>
    countUpTo(db, filtered(db, filter).select("users.id"), limit),
  );
}

/** Returns the statement for the ids of one page. Each sort order has an index. */
export const usersQuery = (db: DbOrTrx, filter: UserFilter, { sort, offset, limit }: UserWindow) =>
  filtered(db, filter)
    .select("users.id")
    .orderBy(sortOrderOf(sql.ref(COLUMNS[sort.key]), Boolean(filter.found)), (order) => {
      const directed = sort.direction === "asc" ? order.asc() : order.desc();
      return sort.key === "lastLogin" ? directed.nullsLast() : directed;
    })
    .orderBy("users.id", sort.direction)
    .limit(limit)
    .offset(offset);

/** A part of the list, in the order of the ids or of the last change. */
export interface UserPart {
  by: "id" | "updatedAt";
  /** The row behind which the part begins, or null for the beginning. */
  behind: Position | null;
  limit: number;
}

/** Returns the statement for the ids of a part of the list. */
export function usersPartQuery(db: DbOrTrx, filter: UserFilter, { by, behind, limit }: UserPart) {
  const query = filtered(db, filter).select("users.id");
  const columns = { at: sql.ref("users.updatedAt"), id: sql.ref("users.id") };
  const rest = behind ? query.where(isBehind(columns, behind, "asc")) : query;
  const ordered = by === "id" ? rest : rest.orderBy("users.updatedAt");
  return ordered.orderBy("users.id").limit(limit);
}

/** Returns a part of the list of accounts. */
export const listUserPart = (db: DbOrTrx, filter: UserFilter, part: UserPart) =>
  readPage(usersPartQuery(db, filter, part), (ids) => selectShown(db, ids).execute());

/** Selects what the list shows of these accounts. */
const selectShown = (db: DbOrTrx, ids: readonly number[]) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .select([
      "users.id",
      "username",
      "email",
      "firstName",
      "lastName",
      "companies.name as company",
      "users.companyId",
      "isApplicant",
      "isAdmin",
      "isDisabled",
      "erasedAt",
      "mergedInto",
      "lockedUntil",
      "adminLockedAt",
      "lastLoginAt",
      "users.updatedAt",
    ])
    .where("users.id", "in", ids);

/**
 * Returns one page of the accounts. Accounts that never logged in come last when sorting by the last login. Rows with equal values are
 * sorted by id.
 */
export const listUsers = (db: DbOrTrx, filter: UserFilter, window: UserWindow) =>
  readPage(usersQuery(db, filter, window), (ids) => selectShown(db, ids).execute());

export type UserListRow = Awaited<ReturnType<typeof listUsers>>[number];

/** Returns how many certificates, codes and orders an account has. */
export async function countBelongings(
  db: DbOrTrx,
  userId: number,
): Promise<{ certificates: number; codes: number; orders: number }> {
  const count = async (table: "certificates" | "codes" | "orders") => {
    const query = db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as("total"));
    return (await query.where("userId", "=", userId).executeTakeFirstOrThrow()).total;
  };
  return { certificates: await count("certificates"), codes: await count("codes"), orders: await count("orders") };
}

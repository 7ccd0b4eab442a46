import { foldForSearch } from "~/lib/fold-text";
import { findPageOf, type Glance } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { type Position } from "~db/keyset.server";
import { countUsers, findUsers, listUserPart, listUsers, type UserListRow } from "~db/repositories/user-list.server";
import { listRightsOfMany } from "~db/repositories/user-rights.server";
import { type StaffRight } from "~db/tables";
import { accountState, lockOf } from "../account-state.policy";
import { namesOfRights, rightsOf } from "../rights.policy";
import { type UserListParams } from "./user-list";

const toListItem = (row: UserListRow, granted: readonly StaffRight[], now: Date) => ({
  id: row.id,
  name: `${row.firstName} ${row.lastName}`,
  company: row.company,
  companyId: row.companyId,
  email: row.email,
  username: row.username,
  rights: namesOfRights(rightsOf(row, granted)),
  state: accountState(row, now),
  lock: lockOf(row, now),
  lastLoginAt: row.lastLoginAt,
});

export type UserListItem = ReturnType<typeof toListItem>;

type Filter = Pick<UserListParams, "search" | "state" | "right" | "companyId">;

function filterOf({ search, state, right, companyId, isGlance }: Filter & Glance, now: Date) {
  const filter = {
    words: foldForSearch(search).split(/\s+/).filter(Boolean),
    now,
    ...(state && { state }),
    ...(right && { right }),
    ...(companyId && { companyId }),
  };
  return findUsers(getDb(), filter, isGlance);
}

const rightsIn = (rows: readonly UserListRow[]) =>
  listRightsOfMany(
    getDb(),
    rows.map(({ id }) => id),
  );

/** Returns one page of all accounts, for staff. When the requested page is past the end, this is the last page. */
export async function listUsersForAdmin(params: UserListParams & Glance, now = new Date()) {
  const filter = await filterOf(params, now);
  const { offset, page, ...counted } = await findPageOf(params, (limit) => countUsers(getDb(), filter, limit));
  const { sort, size } = params;
  const rows = await listUsers(getDb(), filter, { sort, offset, limit: size });
  const granted = await rightsIn(rows);
  return {
    rows: rows.map((row) => toListItem(row, granted.get(row.id) ?? [], now)),
    ...counted,
    params: { ...params, page },
  };
}

/** Which accounts a call answers, and which part of them. */
interface CalledUsers extends Filter {
  updatedSince: string | null;
  behind: Position | null;
  size: number;
}

/** Returns a part of all accounts for the calls, by id or, with `updatedSince`, the oldest change first. */
export async function listUsersForCalls(
  { updatedSince, behind, size, ...wanted }: CalledUsers,
  now = new Date(),
): Promise<(UserListItem & Pick<UserListRow, "updatedAt">)[]> {
  const filter = { ...(await filterOf(wanted, now)), updatedSince };
  const by = updatedSince === null ? "id" : "updatedAt";
  const rows = await listUserPart(getDb(), filter, { by, behind, limit: size });
  const granted = await rightsIn(rows);
  return rows.map((row) => ({ ...toListItem(row, granted.get(row.id) ?? [], now), updatedAt: row.updatedAt }));
}

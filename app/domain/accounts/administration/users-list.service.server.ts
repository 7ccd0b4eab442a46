import { foldForSearch } from "~/lib/fold-text";
import { findPageOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { countUsers, findUsers, listUsers, type UserListRow } from "~db/repositories/user-list.server";
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

/** Returns one page of all accounts, for staff. When the requested page is past the end, this is the last page. */
export async function listUsersForAdmin(params: UserListParams, now = new Date()) {
  const words = foldForSearch(params.search).split(/\s+/).filter(Boolean);
  const filter = await findUsers(getDb(), {
    words,
    now,
    ...(params.state && { state: params.state }),
    ...(params.right && { right: params.right }),
    ...(params.companyId && { companyId: params.companyId }),
  });
  const { offset, page, ...counted } = await findPageOf(params, (limit) => countUsers(getDb(), filter, limit));
  const { sort, size } = params;
  const rows = await listUsers(getDb(), filter, { sort, offset, limit: size });
  const granted = await listRightsOfMany(
    getDb(),
    rows.map(({ id }) => id),
  );
  return {
    rows: rows.map((row) => toListItem(row, granted.get(row.id) ?? [], now)),
    ...counted,
    params: { ...params, page },
  };
}

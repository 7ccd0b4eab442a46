import { listParams, type ListParams } from "~/lib/list-params";
import { ACCOUNT_STATES, type AccountState } from "../account-state.policy";

/** The list's columns that can be sorted. */
export const USER_SORTS = ["name", "company", "email", "lastLogin"] as const;
export type UserSort = (typeof USER_SORTS)[number];

export interface UserListParams extends ListParams<UserSort> {
  /** Only accounts in this state. */
  state: AccountState | null;
}

const base = listParams(USER_SORTS, { key: "name", direction: "asc" });

/** Reads the list's place from a URL; never fails. */
export const readUserListParams = (query: URLSearchParams): UserListParams => ({
  ...base.read(query),
  state: ACCOUNT_STATES.find((state) => state.toLowerCase() === query.get("state")) ?? null,
});

/** The list's place as a query; what is at its default is left out. */
export function userListPlace({ state, ...params }: UserListParams): URLSearchParams {
  const query = base.write(params);
  if (state !== null) query.set("state", state.toLowerCase());
  return query;
}

/** `path` with the list's place behind it, so that the way back from an account leads to the same page. */
export function withUserListPlace(path: string, params: UserListParams, change: Partial<UserListParams> = {}): string {
  const query = userListPlace({ ...params, ...change }).toString();
  return query ? `${path}?${query}` : path;
}

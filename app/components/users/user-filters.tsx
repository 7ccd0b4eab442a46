import { ACCOUNT_STATES } from "~/domain/accounts/account-state.policy";
import { userList, type UserListParams } from "~/domain/accounts/administration/user-list";
import { RIGHT_NAMES, RIGHTS } from "~/domain/accounts/rights.policy";
import { FilterLinks } from "../lists/filter-links";

/** Links that show only the accounts in one state. */
export function StateFilter({ params }: { params: UserListParams }) {
  const choices = [...ACCOUNT_STATES, null].map((state) => ({
    label: state?.toLowerCase() ?? "all",
    to: userList.href(params, { state, page: 1 }),
    isCurrent: params.state === state,
  }));
  return <FilterLinks label="State of the accounts" caption="State:" choices={choices} />;
}

/** Links that show only the accounts with one right. */
export function RightFilter({ params }: { params: UserListParams }) {
  const choices = [...RIGHTS, null].map((right) => ({
    label: right === null ? "all" : RIGHT_NAMES[right],
    to: userList.href(params, { right, page: 1 }),
    isCurrent: params.right === right,
  }));
  return <FilterLinks label="Rights of the accounts" caption="Right:" choices={choices} />;
}

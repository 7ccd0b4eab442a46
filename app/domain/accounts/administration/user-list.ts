import { defineList, type ParamsOf, rowId, stateIn, typedText } from "~/lib/list-params";
import { paths } from "~/lib/paths";
import { ACCOUNT_STATES } from "../account-state.policy";
import { RIGHTS } from "../rights.policy";

/** The columns by which the table of users can be sorted. */
const USER_SORTS = ["name", "company", "email", "lastLogin"] as const;
export type UserSort = (typeof USER_SORTS)[number];

export const userList = defineList({
  path: paths.users,
  sorts: USER_SORTS,
  first: { key: "name", direction: "asc" },
  filters: {
    search: typedText,
    /** Shows only accounts in this state. */
    state: stateIn(ACCOUNT_STATES),
    /** Shows only accounts with this right. */
    right: stateIn(RIGHTS),
    /** Shows only members of this company. */
    companyId: rowId,
  },
});

export type UserListParams = ParamsOf<typeof userList>;

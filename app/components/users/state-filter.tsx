import { Link } from "@remix-run/react";
import { ACCOUNT_STATES } from "~/domain/accounts/account-state.policy";
import { type UserListParams, withUserListPlace } from "~/domain/accounts/administration/users-list.params";
import { paths } from "~/lib/paths";

/** Links that show only the accounts in one state. */
export function StateFilter({ params }: { params: UserListParams }) {
  const choices = [
    ...ACCOUNT_STATES.map((state) => ({ state, label: state.toLowerCase() })),
    { state: null, label: "all" },
  ];
  return (
    <nav aria-label="State of the accounts">
      <ul role="list" className="row">
        <li>State:</li>
        {choices.map(({ state, label }) => (
          <li key={label}>
            <Link
              to={withUserListPlace(paths.users, params, { state, page: 1 })}
              aria-current={params.state === state ? "true" : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

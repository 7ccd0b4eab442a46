import { Link } from "@remix-run/react";
import { userList, type UserListParams, type UserSort } from "~/domain/accounts/administration/user-list";
import { type UserListItem } from "~/domain/accounts/administration/users-list.service.server";
import { paths } from "~/lib/paths";
import { CompanyLink } from "../companies/names";
import { DataTable } from "../lists/data-table";
import { NoRecords } from "../lists/no-records";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface Props {
  rows: readonly UserListItem[];
  total: number;
  hasMore: boolean;
  params: UserListParams;
}

const SORTED_BY: Record<UserSort, string> = {
  name: "last name",
  company: "company",
  email: "email",
  lastLogin: "last login",
};

/** All accounts. The name links to the account. */
export function UsersTable({ rows, total, hasMore, params }: Props) {
  const { page, size, sort } = params;
  const order = `sorted by ${SORTED_BY[sort.key]}${sort.direction === "desc" ? ", descending" : ""}`;
  return (
    <DataTable
      caption="Users"
      summary={total > 0 ? `${rangeText({ page, size, total, hasMore })}, ${order}` : undefined}
      columns={columns(params)}
      rows={rows}
      rowKey={(row) => row.id}
      empty={<NoUsers params={params} />}
      sort={{
        ...sort,
        href: (key, direction) => userList.href(params, { sort: { key: key as UserSort, direction }, page: 1 }),
      }}
    />
  );
}

function NoUsers({ params }: Pick<Props, "params">) {
  const { search, state, right } = params;
  const isRestricted = search !== "" || state !== null || right !== null;
  const all = isRestricted ? userList.href(params, { search: "", state: null, right: null, page: 1 }) : null;
  return <NoRecords search={search} all={all} things="users" />;
}

const columns = (params: UserListParams): Column<UserListItem>[] => [
  {
    key: "name",
    label: "Name",
    sortable: true,
    rowHeader: true,
    cell: (row) => (
      <Link to={userList.addTo(paths.user(row.id), params)}>
        <bdi>{row.name}</bdi>
      </Link>
    ),
  },
  {
    key: "company",
    label: "Company",
    sortable: true,
    cell: (row) => <CompanyLink id={row.companyId} name={row.company} />,
  },
  { key: "email", label: "Email", sortable: true, cell: (row) => <Address row={row} /> },
  { key: "rights", label: "Rights", cell: (row) => row.rights.join(", ") || "None" },
  { key: "state", label: "State", cell: (row) => <State row={row} /> },
  { key: "lastLogin", label: "Last login", sortable: true, cell: (row) => <Time value={row.lastLoginAt} /> },
];

/** The state and, for a lock, whether an administrator set it or wrong passwords did. */
function State({ row: { state, lock } }: { row: UserListItem }) {
  return (
    <>
      <StatusBadge status={state} />
      {state === "Locked" && (
        <span className="sub hint">{lock === "administrator" ? "By an administrator" : "For unknown browsers"}</span>
      )}
    </>
  );
}

/** The email, and the user name when it differs: imported accounts may share an email. */
function Address({ row: { email, username } }: { row: UserListItem }) {
  return (
    <span className="long">
      {email}
      {username !== email && <span className="sub hint">User name {username}</span>}
    </span>
  );
}

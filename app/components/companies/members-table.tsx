import { Link } from "@remix-run/react";
import { type MemberView } from "~/domain/companies/members.service.server";
import { ROLE_NAMES } from "~/domain/companies/roles.policy";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { LinkButton } from "../ui/buttons";
import { Badge } from "../ui/status-badge";
import { Time } from "../ui/time";

const COLUMNS: readonly Column<MemberView>[] = [
  {
    key: "name",
    label: "Member",
    rowHeader: true,
    cell: ({ name, email, isSelf, isDisabled }) => (
      <div>
        <bdi>{name}</bdi> {isSelf && <Badge tone="ok">You</Badge>} {isDisabled && <Badge tone="warn">Disabled</Badge>}
        <span className="sub">{email}</span>
      </div>
    ),
  },
  { key: "role", label: "Role", cell: ({ role }) => ROLE_NAMES[role] },
  { key: "joined", label: "Member since", cell: ({ joinedAt }) => <Time value={joinedAt} /> },
  { key: "login", label: "Last login", cell: ({ lastLoginAt }) => <Time value={lastLoginAt} /> },
];

const CHANGE: Column<MemberView> = {
  key: "change",
  label: "Change",
  cell: ({ id, name }) => (
    <LinkButton to={paths.companyMember(id)} small>
      Change<span className="vh"> {name}</span>
    </LinkButton>
  ),
};

/** The members of a company, in the order in which they joined. Owners get a link to change each of them. */
export const MembersTable = ({ members, mayChange }: { members: readonly MemberView[]; mayChange: boolean }) => (
  <DataTable
    caption="Members"
    columns={mayChange ? [...COLUMNS, CHANGE] : COLUMNS}
    rows={members}
    rowKey={({ id }) => String(id)}
    empty="No members"
  />
);

/** What the only owner of a company reads instead of a button to leave it. Somebody who is alone in it can also have their data erased. */
export const OnlyOwnerStays = ({ isAlone }: { isAlone: boolean }) =>
  isAlone ? (
    <p>
      You are the only member. Before you leave the company, invite somebody and make them an owner. If you need your
      account no longer, you can <Link to={accountPaths.eraseData}>erase your data</Link>.
    </p>
  ) : (
    <p>You are the only owner. Make somebody else an owner before you leave the company.</p>
  );

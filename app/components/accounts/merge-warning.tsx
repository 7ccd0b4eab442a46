import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { Note } from "../ui/note";
import { Time } from "../ui/time";

export interface MergedAccount {
  id: number;
  isOwn: boolean;
  username: string;
  rights: string[];
  lastLoginAt: string | null;
  certificates: number;
  codes: number;
  orders: number;
}

const columns: Column<MergedAccount>[] = [
  {
    key: "username",
    label: "User name",
    rowHeader: true,
    cell: ({ username, isOwn }) => (isOwn ? `${username} (logged in)` : username),
  },
  { key: "rights", label: "Rights", cell: ({ rights }) => rights.join(", ") || "–" },
  { key: "lastLogin", label: "Last login", cell: ({ lastLoginAt }) => <Time value={lastLoginAt} /> },
  { key: "certificates", label: "Certificates", numeric: true, cell: ({ certificates }) => certificates },
  { key: "codes", label: "Codes", numeric: true, cell: ({ codes }) => codes },
  { key: "orders", label: "Orders", numeric: true, cell: ({ orders }) => orders },
];

/** Explains what a merge does. */
export function MergeWarning({ accounts, email }: { accounts: readonly MergedAccount[]; email: string }) {
  const own = accounts.find(({ isOwn }) => isOwn);
  const lost = [...new Set(accounts.flatMap(({ rights }) => rights))].filter(
    (right) => right !== "Applicant" && !own?.rights.includes(right),
  );
  return (
    <Note tone="warn" title="Your accounts will be merged.">
      <p>
        {accounts.length} accounts have the email address {email}. They become one: {own?.username}, with which you are
        logged in. It takes the place of the others in their companies. The others are closed and their passwords are no
        longer valid. This cannot be undone.
      </p>
      {lost.map((right) => (
        <p key={right}>
          The right {right} is not handed on. To keep it, log out and log in with the account that has it.
        </p>
      ))}
    </Note>
  );
}

/** The accounts that become one. They stand below the form, which phones would otherwise not show on their first screen. */
export function MergedAccounts({ accounts }: { accounts: readonly MergedAccount[] }) {
  return (
    <DataTable caption="Accounts with this email address" columns={columns} rows={accounts} rowKey={({ id }) => id} />
  );
}

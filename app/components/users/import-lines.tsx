import { Link } from "@remix-run/react";
import { type ImportListParams, type ImportOutcome } from "~/domain/accounts/import/import-list";
import { type ReportedLine } from "~/domain/accounts/import/prepared-import.service.server";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { Badge, type Tone } from "../ui/status-badge";

const TONES: Record<ImportOutcome, Tone> = { Wrong: "bad", New: "info", Imported: "ok", Existing: "mute" };

/** What a badge says. */
export const OUTCOME_TEXTS: Record<ImportOutcome, string> = {
  Wrong: "Wrong",
  New: "New",
  Imported: "Imported",
  Existing: "Exists, is left alone",
};

const columnsOf = (hasPersons: boolean): Column<ReportedLine>[] => [
  { key: "line", label: "Line", sortable: true, rowHeader: true, cell: (row) => row.line },
  {
    key: "outcome",
    label: "Outcome",
    cell: (row) => <Badge tone={TONES[row.outcome]}>{OUTCOME_TEXTS[row.outcome]}</Badge>,
  },
  { key: "username", label: "User name", cell: (row) => <Username row={row} /> },
  ...(hasPersons
    ? ([
        { key: "person", label: "Person", cell: (row) => <Person row={row} /> },
        { key: "company", label: "Company", cell: (row) => row.company && <bdi>{row.company}</bdi> },
      ] satisfies Column<ReportedLine>[])
    : []),
  {
    key: "notes",
    label: "Notes",
    cell: (row) =>
      row.notes.length > 0 && (
        <div>
          {row.notes.map((note) => (
            <div key={note}>{note}</div>
          ))}
        </div>
      ),
  },
];

const Username = ({ row: { username, userId } }: { row: ReportedLine }) => (
  <bdi className="long">{userId === null ? username : <Link to={paths.user(userId)}>{username}</Link>}</bdi>
);

/** The name, and the email when it differs from the user name. */
const Person = ({ row: { name, email, username } }: { row: ReportedLine }) => (
  <>
    {name && <bdi>{name}</bdi>}
    {email && email !== username && <bdi className="sub hint long">{email}</bdi>}
  </>
);

interface Props {
  rows: readonly ReportedLine[];
  total: number;
  params: ImportListParams;
  /** Whether the lines say whose account is to be made. */
  hasPersons: boolean;
  at: (change: Partial<ImportListParams>) => string;
}

/** What becomes, or has become, of the lines of a file of accounts. */
export const ImportLines = ({ rows, total, params, hasPersons, at }: Props) => (
  <DataTable
    caption="Lines"
    summary={total > 0 ? rangeText({ ...params, total }) : undefined}
    columns={columnsOf(hasPersons)}
    rows={rows}
    rowKey={(row) => row.line}
    sort={{ ...params.sort, href: (_key, direction) => at({ sort: { key: "line", direction }, page: 1 }) }}
  />
);

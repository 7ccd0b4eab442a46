import { Link } from "@remix-run/react";
import { type EventListParams, securityEventList } from "~/domain/security-events/list";
import { type EventListItem } from "~/domain/security-events/list.service.server";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { Time } from "../ui/time";

/** When it happened, and how often for a row that counts many events. */
const When = ({ row: { at, lastAt, times } }: { row: EventListItem }) => (
  <>
    <Time value={at} withTime />
    {times > 1 && (
      <div>
        {times} times, until <Time value={lastAt} withTime />
      </div>
    )}
  </>
);

/** Whoever acted, and the account concerned when it is another one. */
const User = ({ row: { actorName, userId, userEmail, impersonatorEmail } }: { row: EventListItem }) => (
  <>
    {impersonatorEmail && `${impersonatorEmail} as `}
    {actorName && actorName !== userEmail && <bdi>{actorName} </bdi>}
    {userId !== null && <Link to={paths.user(userId)}>{userEmail ?? `Account ${userId}`}</Link>}
  </>
);

const What = ({ row: { detail, path, userAgent } }: { row: EventListItem }) => (
  <>
    <bdi>{detail}</bdi>
    {path && <div className="mono">{path}</div>}
    {userAgent && <div className="muted">{userAgent}</div>}
  </>
);

const columnsOf = (params: EventListParams): Column<EventListItem>[] => [
  { key: "recorded", label: "Recorded", cell: (row) => <When row={row} />, sortable: true },
  { key: "event", label: "Event", cell: (row) => row.caption },
  { key: "user", label: "User", cell: (row) => <User row={row} /> },
  {
    key: "address",
    label: "Address",
    cell: ({ address }) =>
      address && (
        <Link to={securityEventList.href(params, { address, page: 1 })} className="mono">
          {address}
        </Link>
      ),
  },
  { key: "detail", label: "Detail", cell: (row) => <What row={row} /> },
];

interface Props {
  rows: readonly EventListItem[];
  total: number;
  params: EventListParams;
}

/** The security events. */
export function EventTable({ rows, total, params }: Props) {
  const { page, size, sort } = params;
  const order = sort.direction === "desc" ? "the latest first" : "the oldest first";
  return (
    <DataTable
      caption="Security events"
      summary={total > 0 ? `${rangeText({ page, size, total })}, ${order}` : undefined}
      columns={columnsOf(params)}
      rows={rows}
      rowKey={(row) => row.id}
      sort={{
        ...sort,
        href: (_key, direction) => securityEventList.href(params, { sort: { key: "recorded", direction }, page: 1 }),
      }}
    />
  );
}

import { Link } from "@remix-run/react";
import { type EventListParams, securityEventList, TYPED_EVENT_FIELDS } from "~/domain/security-events/list";
import { type EventListItem } from "~/domain/security-events/list.service.server";
import { paths } from "~/lib/paths";
import { NoRecords } from "../lists/no-records";
import { RecordedTable } from "../lists/recorded-table";
import { type Column } from "../lists/table-columns";
import { Time } from "../ui/time";

/** When it happened, and how often for a row that counts many events. */
const When = ({ row: { at, lastAt, times } }: { row: EventListItem }) => (
  <div>
    <Time value={at} withTime />
    {times > 1 && (
      <div>
        {times} times, until <Time value={lastAt} withTime />
      </div>
    )}
  </div>
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
  <div>
    <bdi>{detail}</bdi>
    {path && <div className="mono">{path}</div>}
    {userAgent && <div className="muted">{userAgent}</div>}
  </div>
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
        <Link to={securityEventList.href(params, { address, page: 1 })} className="mono whole">
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

function NoEvents({ params: { event, size, sort, ...params } }: Pick<Props, "params">) {
  const typed = TYPED_EVENT_FIELDS.map((name) => params[name]).filter(Boolean);
  const isSearched = event !== null || typed.length > 0;
  return <NoRecords search={typed} all={isSearched ? securityEventList.href({ size, sort }) : null} things="events" />;
}

/** The security events. */
export const EventTable = (props: Props) => (
  <RecordedTable
    {...props}
    caption="Security events"
    columns={columnsOf(props.params)}
    empty={<NoEvents params={props.params} />}
    href={(direction) => securityEventList.href(props.params, { sort: { key: "recorded", direction }, page: 1 })}
  />
);

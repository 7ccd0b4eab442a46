import { Link } from "@remix-run/react";
import { mailQueueList, type MailQueueListParams, type MailQueueSort } from "~/domain/mail/mail-queue-list";
import { type MailQueueItem } from "~/domain/mail/queue-list.service.server";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { DataTable } from "../lists/data-table";
import { NoRecords } from "../lists/no-records";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface Props {
  id: string;
  rows: readonly MailQueueItem[];
  total: number;
  params: MailQueueListParams;
  selected: readonly string[];
}

const SORTED_BY: Record<MailQueueSort, string> = { recipient: "recipient", since: "since when", tries: "tries" };

/** The kind of the message, as a link to its template, and the order that it is about. */
const About = ({ row: { kind, title, subject, order } }: { row: MailQueueItem }) => (
  <span className="long">
    {kind === null ? title : <Link to={staffPaths.mailTemplate(kind)}>{title}</Link>}
    <span className="sub hint">
      <bdi>{subject}</bdi> {order && <Link to={paths.salesOrder(order.id)}>{order.number}</Link>}
    </span>
  </span>
);

const State = ({ row: { state, heldFor } }: { row: MailQueueItem }) => (
  <span className="long">
    <StatusBadge status={state} />
    {state === "Held" && <span className="sub hint">{heldFor}</span>}
  </span>
);

const COLUMNS: Column<MailQueueItem>[] = [
  { key: "recipient", label: "Recipient", sortable: true, rowHeader: true, cell: (row) => <bdi>{row.recipient}</bdi> },
  { key: "message", label: "Message", cell: (row) => <About row={row} /> },
  { key: "state", label: "State", cell: (row) => <State row={row} /> },
  { key: "since", label: "Since", sortable: true, cell: (row) => <Time value={row.since} withTime /> },
  { key: "tries", label: "Tries", sortable: true, numeric: true, cell: (row) => row.attempts },
  { key: "next", label: "Next try", cell: (row) => <Time value={row.nextAttemptAt} withTime /> },
  { key: "error", label: "Last error", cell: (row) => row.lastError && <bdi>{row.lastError}</bdi> },
];

function NoMessages({ params }: Pick<Props, "params">) {
  const { search, state } = params;
  const isRestricted = search !== "" || state !== null;
  const all = isRestricted ? mailQueueList.href(params, { search: "", state: null, page: 1 }) : null;
  return (
    <NoRecords search={search} all={all} things="messages">
      No message waits to be sent.
    </NoRecords>
  );
}

/** Messages that are not sent. Several can be chosen. */
export function QueueTable({ id, rows, total, params, selected }: Props) {
  const { page, size, sort } = params;
  const order = `sorted by ${SORTED_BY[sort.key]}${sort.direction === "desc" ? ", descending" : ""}`;
  return (
    <DataTable
      id={id}
      caption="Messages that are not sent"
      summary={total > 0 ? `${rangeText({ page, size, total })}, ${order}` : undefined}
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) => row.id}
      empty={<NoMessages params={params} />}
      sort={{
        ...sort,
        href: (key, direction) =>
          mailQueueList.href(params, { sort: { key: key as MailQueueSort, direction }, page: 1 }),
      }}
      select={{
        type: "checkbox",
        name: "id",
        label: ({ title, recipient }) => `Select message: ${title} to ${recipient}`,
        selected,
        query: mailQueueList.href(params),
      }}
    />
  );
}

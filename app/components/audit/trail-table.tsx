import { Link } from "@remix-run/react";
import { type TrailListParams } from "~/domain/audit/trail-list";
import { RecordedTable } from "../lists/recorded-table";
import { type Column } from "../lists/table-columns";
import { Time } from "../ui/time";
import { AuditActor } from "./audit-actor";
import { About, ALL_LINKS, type TrailLinks, type TrailRow as Row } from "./trail-about";

/** Returns the address of the list with another search or order. */
type At = (change: Partial<Pick<TrailListParams, "event" | "address" | "sort" | "page">>) => string;

/** Who acted, and from which address, which leads to everything from there. */
const Who = ({ row, at }: { row: Row; at: At }) => (
  <>
    <AuditActor {...row} />
    {row.address && (
      <div>
        <Link to={at({ address: row.address, page: 1 })} className="mono">
          {row.address}
        </Link>
      </div>
    )}
  </>
);

/** `subject.verb`, which may break between the two. */
function EventName({ name }: { name: string }) {
  const dot = name.indexOf(".") + 1;
  return (
    <>
      {name.slice(0, dot)}
      <wbr />
      {name.slice(dot)}
    </>
  );
}

const columnsOf = (at: At, links: TrailLinks): Column<Row>[] => [
  { key: "recorded", label: "Recorded", cell: (row) => <Time value={row.at} withTime />, sortable: true },
  { key: "who", label: "Who", cell: (row) => <Who row={row} at={at} /> },
  {
    key: "event",
    label: "Event",
    cell: (row) => (
      <Link to={at({ event: row.event, page: 1 })} className="mono whole">
        <EventName name={row.event} />
      </Link>
    ),
  },
  { key: "message", label: "Message", cell: (row) => <bdi>{row.message}</bdi> },
  { key: "about", label: "About", cell: (row) => <About row={row} links={links} /> },
];

interface Props {
  rows: readonly Row[];
  total: number;
  params: Pick<TrailListParams, "page" | "size" | "sort">;
  empty: React.ReactNode;
  at: At;
  links?: TrailLinks;
}

/** The entries of the audit trail, or of a part of it. */
export const TrailTable = ({ at, links = ALL_LINKS, ...props }: Props) => (
  <RecordedTable
    {...props}
    caption="Audit trail"
    columns={columnsOf(at, links)}
    href={(direction) => at({ sort: { key: "recorded", direction }, page: 1 })}
  />
);

import { Link } from "@remix-run/react";
import { type TrailListParams } from "~/domain/audit/trail-list";
import { type loadTrail } from "~/domain/audit/trail.service.server";
import { companyIdOf } from "~/domain/companies/company-reference";
import { orderNumber } from "~/domain/orders/order-number";
import { paths } from "~/lib/paths";
import { RecordedTable } from "../lists/recorded-table";
import { type Column } from "../lists/table-columns";
import { Time } from "../ui/time";
import { AuditActor } from "./audit-actor";

type Row = Awaited<ReturnType<typeof loadTrail>>["rows"][number];

/** Which things the viewer may open: sales orders, and the certificates and codes of customers. */
export interface TrailLinks {
  orders: boolean;
  customers: boolean;
}

const ALL_LINKS: TrailLinks = { orders: true, customers: true };

interface AboutProps {
  row: Row;
  links?: TrailLinks;
}

/** Lists what an entry is about, as links where there is a page that the viewer may open. */
export function About({ row, links = ALL_LINKS }: AboutProps) {
  const { userId, userEmail, orderId, certificateId, codeId, reference } = row;
  const link = (id: number | null, to: (id: number) => string, text: string, isLinked = true) =>
    id !== null && <li>{isLinked ? <Link to={to(id)}>{text}</Link> : text}</li>;
  const companyId = companyIdOf(reference ?? "");
  if ([userId, orderId, certificateId, codeId, reference].every((about) => about === null || about === "")) return null;
  return (
    <ul role="list">
      {link(userId, paths.user, userEmail ?? `Account ${userId}`)}
      {link(orderId, (order) => paths.salesOrder(order), `Order ${orderNumber(orderId ?? 0)}`, links.orders)}
      {link(certificateId, paths.certificateDetails, `Certificate ${certificateId}`, links.customers)}
      {link(codeId, (code) => paths.codeDetails({ code }), `Code ${codeId}`, links.customers)}
      {link(companyId, paths.companyPage, `Company ${companyId}`)}
      {reference && companyId === null && (
        <li>
          <bdi className="mono">{reference}</bdi>
        </li>
      )}
    </ul>
  );
}

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

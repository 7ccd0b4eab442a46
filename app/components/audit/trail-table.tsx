import { Link } from "@remix-run/react";
import { trailList, type TrailListParams } from "~/domain/audit/trail-list";
import { type loadTrail } from "~/domain/audit/trail.service.server";
import { companyIdOf } from "~/domain/companies/company-reference";
import { orderNumber } from "~/domain/orders/order-number";
import { paths } from "~/lib/paths";
import { RecordedTable } from "../lists/recorded-table";
import { type Column } from "../lists/table-columns";
import { Time } from "../ui/time";
import { AuditActor } from "./audit-actor";

type Row = Awaited<ReturnType<typeof loadTrail>>["rows"][number];

/** Lists what an entry is about, as links where there is a page. */
export function About({ row: { userId, userEmail, orderId, certificateId, codeId, reference } }: { row: Row }) {
  const link = (id: number | null, to: (id: number) => string, text: string) =>
    id !== null && (
      <li>
        <Link to={to(id)}>{text}</Link>
      </li>
    );
  const companyId = companyIdOf(reference ?? "");
  if ([userId, orderId, certificateId, codeId, reference].every((about) => about === null || about === "")) return null;
  return (
    <ul role="list">
      {link(userId, paths.user, userEmail ?? `Account ${userId}`)}
      {link(orderId, (order) => paths.salesOrder(order), `Order ${orderNumber(orderId ?? 0)}`)}
      {link(certificateId, paths.certificateDetails, `Certificate ${certificateId}`)}
      {link(codeId, (code) => paths.codeDetails({ code }), `Code ${codeId}`)}
      {link(companyId, paths.companyPage, `Company ${companyId}`)}
      {reference && companyId === null && (
        <li>
          <bdi className="mono">{reference}</bdi>
        </li>
      )}
    </ul>
  );
}

/** Who acted, and from which address, which leads to everything from there. */
const Who = ({ row, params }: { row: Row; params: TrailListParams }) => (
  <>
    <AuditActor {...row} />
    {row.address && (
      <div>
        <Link to={trailList.href(params, { address: row.address, page: 1 })} className="mono">
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

const columnsOf = (params: TrailListParams): Column<Row>[] => [
  { key: "recorded", label: "Recorded", cell: (row) => <Time value={row.at} withTime />, sortable: true },
  { key: "who", label: "Who", cell: (row) => <Who row={row} params={params} /> },
  {
    key: "event",
    label: "Event",
    cell: (row) => (
      <Link to={trailList.href(params, { event: row.event, page: 1 })} className="mono whole">
        <EventName name={row.event} />
      </Link>
    ),
  },
  { key: "message", label: "Message", cell: (row) => <bdi>{row.message}</bdi> },
  { key: "about", label: "About", cell: (row) => <About row={row} /> },
];

interface Props {
  rows: readonly Row[];
  total: number;
  params: TrailListParams;
}

/** The entries of the audit trail. */
export const TrailTable = (props: Props) => (
  <RecordedTable
    {...props}
    caption="Audit trail"
    columns={columnsOf(props.params)}
    href={(direction) => trailList.href(props.params, { sort: { key: "recorded", direction }, page: 1 })}
  />
);

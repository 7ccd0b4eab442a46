import { type AuditLogListParams, type AuditLogSort } from "~/domain/codes/audit-log-list";
import { type AuditLogRow } from "~/domain/codes/audit-log.service.server";
import { AuditActor } from "../audit/audit-actor";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { Time } from "../ui/time";

interface Props {
  rows: readonly AuditLogRow[];
  total: number;
  params: AuditLogListParams;
  /** Returns the address of the page with other parameters. */
  at: (change: Partial<AuditLogListParams>) => string;
}

const column = (
  key: AuditLogSort,
  label: string,
  cell: (row: AuditLogRow) => React.ReactNode,
): Column<AuditLogRow> => ({
  key,
  label,
  cell,
  sortable: true,
});

const COLUMNS = [
  column("email", "Username", (row) => (
    <>
      <AuditActor {...row} />
      {row.address && <div className="mono">{row.address}</div>}
    </>
  )),
  column(
    "purchaseOrderNumber",
    "Order Number",
    (row) => row.purchaseOrderNumber && <bdi>{row.purchaseOrderNumber}</bdi>,
  ),
  column("code", "Business Entity", (row) => row.code && <span className="mono">{row.code}</span>),
  column("message", "Message", (row) => row.message),
  column("dateTime", "Recorded", (row) => <Time value={row.dateTime} />),
  column("auditReference", "Reference", (row) => row.auditReference && <bdi>{row.auditReference}</bdi>),
];

/** The audit log of a code (AUD-01). */
export function AuditLogTable({ rows, total, params, at }: Props) {
  const { page, size, sort } = params;
  const label = COLUMNS.find(({ key }) => key === sort.key)?.label.toLowerCase();
  const order = `sorted by ${label}${sort.direction === "desc" ? ", descending" : ""}`;
  return (
    <DataTable
      caption="Audit log"
      summary={total > 0 ? `${rangeText({ page, size, total })}, ${order}` : undefined}
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) => row.id}
      sort={{
        ...sort,
        href: (key, direction) => at({ sort: { key: key as AuditLogSort, direction }, page: 1 }),
      }}
    />
  );
}

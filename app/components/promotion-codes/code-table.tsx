import { Link } from "@remix-run/react";
import {
  promotionCodeList,
  type PromotionCodeListParams,
  type PromotionCodeSort,
} from "~/domain/orders/promotion-codes/promotion-code-list";
import { type PromotionCodeItem } from "~/domain/orders/promotion-codes/promotion-codes.service.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { NoRecords } from "../lists/no-records";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface Props {
  rows: readonly PromotionCodeItem[];
  total: number;
  params: PromotionCodeListParams;
  selected: string | null;
}

const SORTED_BY: Record<PromotionCodeSort, string> = {
  code: "code",
  value: "value",
  months: "months",
  validUntil: "last day",
  createdAt: "date of creation",
};

/** All promotion codes. One can be chosen; a used one links to its order. */
export function PromotionCodesTable({ rows, total, params, selected }: Props) {
  const { page, size, sort } = params;
  const order = `sorted by ${SORTED_BY[sort.key]}${sort.direction === "desc" ? ", descending" : ""}`;
  return (
    <DataTable
      caption="Promotion codes"
      summary={total > 0 ? `${rangeText({ page, size, total })}, ${order}` : undefined}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.code}
      empty={<NoPromotionCodes params={params} />}
      sort={{
        ...sort,
        href: (key, direction) =>
          promotionCodeList.href(params, { sort: { key: key as PromotionCodeSort, direction }, page: 1 }),
      }}
      select={{
        type: "radio",
        name: "code",
        label: (row) => `Select ${row.code}`,
        selected: selected === null ? [] : [selected],
        query: promotionCodeList.href(params),
      }}
    />
  );
}

function NoPromotionCodes({ params }: Pick<Props, "params">) {
  const { search, state, batch } = params;
  const isRestricted = search !== "" || state !== null || batch !== null;
  const all = isRestricted ? promotionCodeList.href(params, { search: "", state: null, batch: null, page: 1 }) : null;
  return (
    <NoRecords search={search} all={all} things="promotion codes">
      Here you find the promotion codes that staff have created, and the orders that used them.
    </NoRecords>
  );
}

const columns: Column<PromotionCodeItem>[] = [
  {
    key: "code",
    label: "Code",
    sortable: true,
    rowHeader: true,
    cell: (row) => <span className="mono">{row.code}</span>,
  },
  { key: "state", label: "State", cell: (row) => <State row={row} /> },
  { key: "value", label: "Value", sortable: true, numeric: true, cell: (row) => formatEuro(row.valueCents) },
  { key: "months", label: "Months", sortable: true, numeric: true, cell: (row) => row.months },
  { key: "validUntil", label: "Valid until", sortable: true, cell: (row) => <Time value={row.validUntil} /> },
  { key: "createdAt", label: "Created", sortable: true, cell: (row) => <Time value={row.createdAt} /> },
];

function State({ row: { state, order } }: { row: PromotionCodeItem }) {
  return (
    <span>
      <StatusBadge status={state} />
      {order && (
        <span className="sub hint">
          {order.certificateId === null ? (
            order.number
          ) : (
            <Link to={paths.certificateQueueOrder(order.certificateId)}>{order.number}</Link>
          )}{" "}
          <Time value={order.usedAt} />
        </span>
      )}
    </span>
  );
}

import {
  SALES_ORDER_FILTERS,
  salesOrderList,
  type SalesOrderListParams,
  type SalesOrderSort,
} from "~/domain/orders/list/sales-order-list";
import { type SalesOrderItem } from "~/domain/orders/list/service.server";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { CompanyLink } from "../companies/names";
import { DataTable } from "../lists/data-table";
import { KeepingLink } from "../lists/keeping-link";
import { NoRecords } from "../lists/no-records";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface Props {
  id: string;
  rows: readonly SalesOrderItem[];
  total: number;
  hasMore: boolean;
  /** The parameters of the list page, with the orders that are currently ticked. */
  params: SalesOrderListParams;
  /** The orders that were ticked when the page was loaded. */
  selected: readonly number[];
}

const LABELS: Record<SalesOrderSort, string> = {
  orderNumber: "Number",
  orderType: "Type",
  company: "Company",
  orderDate: "Date",
  orderTotal: "Total in euro",
  orderStatus: "Status",
  invoiceNumber: "Invoice Number",
  userName: "User",
  country: "Country",
};

/** The sales orders (SAL-01). Several rows can be chosen; the number links to the details. */
export function SalesOrderTable({ id, rows, total, hasMore, params, selected }: Props) {
  const { page, size, sort } = params;
  const order = `sorted by ${LABELS[sort.key].toLowerCase()}${sort.direction === "desc" ? ", descending" : ""}`;
  return (
    <DataTable
      id={id}
      caption="Sales orders"
      summary={total > 0 ? `${rangeText({ page, size, total, hasMore })}, ${order}` : undefined}
      columns={columns(params)}
      rows={rows}
      rowKey={(row) => row.id}
      empty={<NoSalesOrders params={params} />}
      sort={{
        ...sort,
        href: (key, direction) =>
          salesOrderList.href(params, { sort: { key: key as SalesOrderSort, direction }, page: 1 }),
        link: KeepingLink,
      }}
      select={{
        type: "checkbox",
        name: "id",
        label: (row) => `Select order ${row.orderNumber}`,
        selected: selected.map(String),
        query: salesOrderList.href(params, { selected: [] }),
      }}
    />
  );
}

/** The link keeps what other links of the page undo, such as the month of the invoices. */
function NoSalesOrders({ params }: Pick<Props, "params">) {
  const { from, to, company, status, orderNumber, userName } = params;
  const isSearched = SALES_ORDER_FILTERS.some((name) => params[name] !== "");
  const unsearched = { ...Object.fromEntries(SALES_ORDER_FILTERS.map((name) => [name, ""])), page: 1 };
  return (
    <NoRecords
      search={[from, to, company, status, orderNumber, userName]}
      all={isSearched ? salesOrderList.href(params, unsearched) : null}
    />
  );
}

function columns(params: SalesOrderListParams): Column<SalesOrderItem>[] {
  const column = (key: SalesOrderSort, cell: (row: SalesOrderItem) => React.ReactNode): Column<SalesOrderItem> => ({
    key,
    label: LABELS[key],
    cell,
    sortable: true,
  });
  const details = (row: SalesOrderItem) => (
    <KeepingLink to={paths.salesOrder(row.id, salesOrderList.href(params))} name="open" value={String(row.id)}>
      {row.orderNumber}
    </KeepingLink>
  );
  return [
    { ...column("orderNumber", details), rowHeader: "short" },
    column("orderType", (row) => row.orderType),
    column("company", (row) => <CompanyLink id={row.companyId} name={row.company} />),
    column("orderDate", (row) => <Time value={row.orderDate} />),
    { ...column("orderTotal", (row) => formatEuro(row.totalCents)), numeric: true },
    column("orderStatus", ({ status, overpaid }) => (
      <div>
        <StatusBadge status={status} />
        {overpaid !== null && <span className="sub">{overpaid}</span>}
      </div>
    )),
    column("invoiceNumber", (row) => row.invoiceNumber && <bdi>{row.invoiceNumber}</bdi>),
    column("userName", ({ userName, clientName }) => (
      <div>
        {userName}
        {clientName !== null && <span className="sub">by the API client “{clientName}”</span>}
      </div>
    )),
    column("country", (row) => row.country),
  ];
}

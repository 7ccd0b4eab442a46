import { Link } from "@remix-run/react";
import { type CodeOrderItem } from "~/domain/codes/list/service.server";
import { documentNumbers } from "~/domain/orders/invoices/invoice-content";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { DownloadLink } from "../ui/download-link";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface Props {
  rows: readonly CodeOrderItem[];
  total: number;
  hasMore: boolean;
  /** For administrators, who see the orders of all customers and record payments. */
  forStaff: boolean;
  /** Shows who ordered. */
  withPeople: boolean;
}

/** A single number is plain text, to which the table can fit the column. Several numbers have a line each. */
function invoiceNumbers({ documents, invoiceNumber }: CodeOrderItem): React.ReactNode {
  const [first, ...others] = documentNumbers(documents, invoiceNumber);
  return others.length === 0 ? first : <Lines>{[first, ...others]}</Lines>;
}

/** A single document is the invoice of the order. When there are several, such as a credit note, each link shows its number. */
function downloads({ documents, orderNumber }: CodeOrderItem): React.ReactNode {
  const [only, ...others] = documents;
  if (!only) return null;
  if (others.length === 0)
    return (
      <DownloadLink href={paths.invoice(only.id)}>
        Download<span className="vh"> the invoice of order {orderNumber}</span>
      </DownloadLink>
    );
  const links = documents.map(({ id, number, cancelled }) => (
    <DownloadLink key={id} href={paths.invoice(id)}>
      Download {number}
      {cancelled && ` ${cancelled}`}
      <span className="vh"> of order {orderNumber}</span>
    </DownloadLink>
  ));
  return <Lines>{links}</Lines>;
}

/** Shows the lines one below the other, also on narrow screens, where a cell stands beside its label. */
const Lines = ({ children }: { children: React.ReactNode[] }) => (
  <div>
    {children.map((line, index) => (
      <div key={index}>{line}</div>
    ))}
  </div>
);

/** The status, and the note to the customer about codes, money and reason. */
const orderStatus = ({ status, customerNote }: CodeOrderItem) => (
  <div>
    <StatusBadge status={status} />
    {customerNote && (
      <span className="sub hint" dir="auto">
        {customerNote}
      </span>
    )}
  </div>
);

const columns: Column<CodeOrderItem>[] = [
  { key: "creationDate", label: "Order Date", cell: (row) => <Time value={row.createdAt} /> },
  { key: "codeType", label: "Type of Code", cell: (row) => row.codeType },
  { key: "numberOfCodes", label: "Number of Codes", cell: (row) => row.numberOfCodes, numeric: true },
  { key: "orderTotal", label: "Order Total (Euro)", cell: (row) => formatEuro(row.totalCents), numeric: true },
  { key: "invoiceNumber", label: "Invoice Number", cell: invoiceNumbers },
  { key: "orderStatus", label: "Status", cell: orderStatus },
  { key: "paymentDate", label: "Payment Date", cell: (row) => <Time value={row.paymentDate} /> },
  {
    key: "invoice",
    label: "Download Invoice",
    cell: downloads,
  },
];

const number = (forStaff: boolean): Column<CodeOrderItem> => ({
  key: "id",
  label: "Order",
  cell: (row) =>
    forStaff ? <Link to={paths.salesOrder(row.id, paths.codes)}>{row.orderNumber}</Link> : row.orderNumber,
  rowHeader: "short",
});

const ORDERED_BY: Column<CodeOrderItem> = {
  key: "orderedBy",
  label: "Ordered by",
  cell: (row) => <bdi>{row.orderedBy}</bdi>,
};

const company: Column<CodeOrderItem> = { key: "company", label: "Company", cell: (row) => row.company };

/** The latest orders of codes (COD-01). */
export const CodeOrderTable = ({ rows, total, hasMore, forStaff, withPeople }: Props) => (
  <DataTable
    caption={forStaff ? "Orders of ID codes" : "Your orders of ID codes"}
    summary={
      total > rows.length ? `${rangeText({ page: 1, size: rows.length, total, hasMore })}, the latest first` : undefined
    }
    columns={[number(forStaff), ...(forStaff ? [company] : []), ...columns, ...(withPeople ? [ORDERED_BY] : [])]}
    rows={rows}
    rowKey={(row) => row.id}
  />
);

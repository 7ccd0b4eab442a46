import { Link } from "@remix-run/react";
import { userList } from "~/domain/accounts/administration/user-list";
import { trailList } from "~/domain/audit/trail-list";
import { certificateList } from "~/domain/certificates/catalogue/certificate-list";
import { codeList } from "~/domain/codes/list/code-list";
import { type CompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { salesOrderList } from "~/domain/orders/list/sales-order-list";
import { formatEuro } from "~/lib/money";
import { paths } from "~/lib/paths";
import { AuditActor } from "../audit/audit-actor";
import { About } from "../audit/trail-about";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { DownloadLink } from "../ui/download-link";
import { Badge, StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface Props {
  company: CompanyPage;
}

interface PartProps<Row> {
  caption: string;
  /** Null when the rights of the viewer do not show this part. */
  part: { rows: readonly Row[]; total: number; hasMore?: boolean } | null;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** The list of all rows. */
  all?: { to: string; label: string };
  empty: string;
}

/** The latest rows of a part, how many there are in all, and the link to the list of all of them. */
export function Part<Row>({ caption, part, columns, rowKey, all, empty }: PartProps<Row>) {
  if (!part) return null;
  const { rows, total, hasMore = false } = part;
  const count = `${hasMore ? "more than " : ""}${total.toLocaleString("en-GB")}`;
  return (
    <div className="stack">
      <DataTable
        caption={caption}
        summary={total > 0 ? `${count}, the latest first` : undefined}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        empty={empty}
      />
      {all && total > 0 && (
        <p>
          <Link to={all.to}>{all.label}</Link>
        </p>
      )}
    </div>
  );
}

type RowOf<Name extends "members" | "certificates" | "codes" | "orders" | "invoices" | "checks" | "history"> =
  NonNullable<CompanyPage[Name]>["rows"][number];

const MEMBERS: readonly Column<RowOf<"members">>[] = [
  {
    key: "name",
    label: "Member",
    rowHeader: true,
    cell: ({ id, name, email, emailVerifiedAt }) => (
      <div>
        <Link to={paths.user(id)}>
          <bdi>{name}</bdi>
        </Link>
        <span className="sub">
          {email} {emailVerifiedAt ? <Badge tone="ok">Confirmed</Badge> : <Badge tone="warn">Not confirmed</Badge>}
        </span>
      </div>
    ),
  },
  { key: "role", label: "Role", cell: ({ role }) => role },
  { key: "joined", label: "Member since", cell: ({ joinedAt }) => <Time value={joinedAt} /> },
  { key: "login", label: "Last login", cell: ({ lastLoginAt }) => <Time value={lastLoginAt} /> },
  { key: "state", label: "State", cell: ({ state }) => <StatusBadge status={state} /> },
];

export const MembersPart = ({ company }: Props) => (
  <Part
    caption="Members"
    part={company.members}
    columns={MEMBERS}
    rowKey={({ id }) => id}
    all={{ to: userList.href({ companyId: company.id }), label: "The members in the list of users" }}
    empty="No members"
  />
);

const CERTIFICATES: readonly Column<RowOf<"certificates">>[] = [
  { key: "id", label: "ID", cell: ({ id }) => id },
  {
    key: "name",
    label: "Common name",
    rowHeader: true,
    cell: ({ id, commonName }) => <Link to={paths.certificateDetails(id)}>{commonName}</Link>,
  },
  { key: "status", label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { key: "requested", label: "Requested", cell: ({ requestedAt }) => <Time value={requestedAt} /> },
  { key: "expires", label: "Expires", cell: ({ expiryDate }) => <Time value={expiryDate} /> },
  { key: "by", label: "Ordered by", cell: ({ orderedBy }) => <bdi>{orderedBy}</bdi> },
];

export const CertificatesPart = ({ company }: Props) => (
  <Part
    caption="Certificates"
    part={company.certificates}
    columns={CERTIFICATES}
    rowKey={({ id }) => id}
    all={{ to: certificateList.href({ companyId: company.id }), label: "All certificates of the company" }}
    empty="No certificates"
  />
);

const CODES: readonly Column<RowOf<"codes">>[] = [
  {
    key: "code",
    label: "Full code",
    rowHeader: "short",
    cell: ({ id, fullCode }) => (
      <Link to={paths.codeDetails({ code: id })} className="mono">
        {fullCode}
      </Link>
    ),
  },
  { key: "type", label: "Type", cell: ({ codeType }) => codeType },
  { key: "entity", label: "Entity Name", cell: ({ entityName }) => <bdi>{entityName}</bdi> },
  { key: "status", label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { key: "registered", label: "Registered", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { key: "by", label: "Registered by", cell: ({ registeredBy }) => <bdi>{registeredBy}</bdi> },
];

export const CodesPart = ({ company }: Props) => (
  <Part
    caption="ID codes"
    part={company.codes}
    columns={CODES}
    rowKey={({ id }) => id}
    all={{ to: codeList.href({ companyId: company.id }), label: "All codes of the company" }}
    empty="No codes"
  />
);

const ORDERS: readonly Column<RowOf<"orders">>[] = [
  {
    key: "number",
    label: "Order",
    rowHeader: "short",
    cell: ({ id, orderNumber }) => <Link to={paths.salesOrder(id)}>{orderNumber}</Link>,
  },
  { key: "type", label: "Type", cell: ({ orderType }) => orderType },
  { key: "date", label: "Date", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { key: "total", label: "Total in euro", cell: ({ totalCents }) => formatEuro(totalCents), numeric: true },
  { key: "status", label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { key: "by", label: "Ordered by", cell: ({ orderedBy }) => <bdi>{orderedBy}</bdi> },
];

export const OrdersPart = ({ company }: Props) => (
  <Part
    caption="Orders"
    part={company.orders}
    columns={ORDERS}
    rowKey={({ id }) => id}
    all={{ to: salesOrderList.href({ companyId: company.id }), label: "All orders of the company" }}
    empty="No orders"
  />
);

const INVOICES: readonly Column<RowOf<"invoices">>[] = [
  {
    key: "number",
    label: "Number",
    rowHeader: "short",
    cell: ({ id, number }) => <DownloadLink href={paths.invoice(id)}>{number}</DownloadLink>,
  },
  { key: "kind", label: "Type", cell: ({ kind }) => kind },
  { key: "date", label: "Issued", cell: ({ issuedAt }) => <Time value={issuedAt} /> },
  { key: "total", label: "Total in euro", cell: ({ totalCents }) => formatEuro(totalCents), numeric: true },
  {
    key: "order",
    label: "Order",
    cell: ({ orderId, orderNumber }) => <Link to={paths.salesOrder(orderId)}>{orderNumber}</Link>,
  },
];

export const InvoicesPart = ({ company }: Props) => (
  <Part
    caption="Invoices and credit notes"
    part={company.invoices}
    columns={INVOICES}
    rowKey={({ id }) => id}
    all={{ to: salesOrderList.href({ companyId: company.id }), label: "All orders with their invoice numbers" }}
    empty="No invoices"
  />
);

const CHECKS: readonly Column<RowOf<"checks">>[] = [
  { key: "what", label: "Confirmed", rowHeader: true, cell: ({ what }) => <bdi>{what}</bdi> },
  {
    key: "order",
    label: "For",
    cell: ({ certificateId, commonName }) => (
      <Link to={paths.certificateQueueOrder(certificateId)}>
        {commonName} ({certificateId})
      </Link>
    ),
  },
  { key: "by", label: "By", cell: ({ by }) => <bdi>{by}</bdi> },
  { key: "at", label: "When", cell: ({ at }) => <Time value={at} withTime /> },
  { key: "note", label: "Note", cell: ({ note }) => <bdi>{note}</bdi> },
];

export const ChecksPart = ({ company }: Props) => (
  <Part
    caption="Checks of organisation and authentication contact"
    part={company.checks}
    columns={CHECKS}
    rowKey={({ certificateId, what }) => `${certificateId} ${what}`}
    all={{ to: certificateList.href({ companyId: company.id }), label: "All certificates of the company" }}
    empty="Nothing has been checked yet"
  />
);

const HISTORY: readonly Column<RowOf<"history">>[] = [
  { key: "at", label: "Recorded", cell: ({ at }) => <Time value={at} withTime /> },
  { key: "who", label: "Who", cell: (row) => <AuditActor {...row} /> },
  { key: "message", label: "What", cell: ({ message }) => <bdi>{message}</bdi> },
  { key: "about", label: "About", cell: (row) => <About row={row} /> },
];

export const HistoryPart = ({ company }: Props) => (
  <Part
    caption="History"
    part={company.history}
    columns={HISTORY}
    rowKey={({ id }) => id}
    all={{ to: trailList.href({ companyId: company.id }), label: "The company in the audit trail" }}
    empty="No entries"
  />
);

import { Link } from "@remix-run/react";
import {
  certificateList,
  type CertificateListParams,
  type CertificateSort,
} from "~/domain/certificates/catalogue/certificate-list";
import { type CertificateListItem } from "~/domain/certificates/catalogue/list.service.server";
import { paths } from "~/lib/paths";
import { CompanyLink } from "../companies/names";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { Badge, StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";
import { CertificateMenu } from "./certificate-menu";

interface Props {
  /** The target of the error summary's link when no row was chosen. */
  id: string;
  rows: readonly CertificateListItem[];
  total: number;
  hasMore: boolean;
  params: CertificateListParams;
  /** Shows the company, for administrators, who see all certificates. */
  withCompany: boolean;
  /** Shows who ordered. */
  withOrderer: boolean;
  selected: string | null;
  /** What the empty table says. */
  empty: React.ReactNode;
}

const SORTED_BY: Record<CertificateSort, string> = {
  id: "ID",
  commonName: "common name",
  certificateStatus: "status",
  orderType: "order type",
  certificateRequestDate: "request date",
  orderId: "order",
  certificateStartDate: "start date",
  certificateExpiryDate: "expiry date",
  revocationDate: "revocation date",
};

/** The certificates (CER-01). One row can be chosen; the common name links to the details, and each row has a menu. */
export function CertificatesTable({ id, rows, total, hasMore, params, selected, empty, ...shown }: Props) {
  const { withCompany, withOrderer } = shown;
  const { page, size, sort } = params;
  const order = `sorted by ${SORTED_BY[sort.key]}${sort.direction === "desc" ? ", descending" : ""}`;
  return (
    <DataTable
      id={id}
      caption={withCompany ? "All certificates" : "Your certificates"}
      summary={total > 0 ? `${rangeText({ page, size, total, hasMore })}, ${order}` : undefined}
      columns={columns(params, { withCompany, withOrderer })}
      rows={rows}
      rowKey={(row) => row.id}
      empty={empty}
      sort={{
        ...sort,
        href: (key, direction) =>
          certificateList.href(params, {
            sort: { key: key as CertificateSort, direction },
            page: 1,
            selected: null,
          }),
      }}
      select={{
        type: "radio",
        name: "id",
        label: (row) => `Select ${row.commonName} (${row.id})`,
        selected: selected === null ? [] : [selected],
        query: certificateList.href(params, { selected: null }),
      }}
    />
  );
}

function columns(
  params: CertificateListParams,
  { withCompany, withOrderer }: Pick<Props, "withCompany" | "withOrderer">,
): Column<CertificateListItem>[] {
  const company: Column<CertificateListItem> = {
    key: "company",
    label: "Company",
    cell: (row) => <CompanyLink id={row.companyId} name={row.company} />,
  };
  const orderer: Column<CertificateListItem> = {
    key: "orderedBy",
    label: "Ordered by",
    cell: (row) => <bdi>{row.orderedBy}</bdi>,
  };
  const column = (
    key: CertificateSort,
    label: string,
    cell: (row: CertificateListItem) => React.ReactNode,
  ): Column<CertificateListItem> => ({ key, label, cell, sortable: true });
  return [
    column("id", "ID", (row) => row.id),
    {
      ...column("commonName", "Common name", (row) => <Names row={row} params={params} withCompany={withCompany} />),
      rowHeader: true,
    },
    ...(withCompany ? [company] : []),
    column("certificateStatus", "Status", (row) => <State row={row} />),
    column("orderType", "Order type", (row) => row.orderType),
    column("certificateRequestDate", "Requested", (row) => <Time value={row.certificateRequestDate} />),
    column("orderId", "Order", (row) => row.orderNumber),
    column("certificateStartDate", "Valid from", (row) => <Time value={row.certificateStartDate} />),
    column("certificateExpiryDate", "Expires", (row) => <Expiry row={row} />),
    column("revocationDate", "Revoked", (row) => <Revocation row={row} />),
    ...(withOrderer ? [orderer] : []),
    { key: "actions", label: "Actions", cell: (row) => <CertificateMenu row={row} params={params} /> },
  ];
}

interface NamesProps {
  row: CertificateListItem;
  params: CertificateListParams;
  withCompany: boolean;
}

function Names({ row, params, withCompany }: NamesProps) {
  const details = certificateList.addTo(paths.certificateDetails(row.id), params, { selected: row.id });
  const [first, ...others] = row.names;
  return (
    <div>
      {row.barriers.view ? row.commonName : <Link to={details}>{row.commonName}</Link>}
      {row.ssid !== null && (
        <span className="sub hint">
          SSID <span className="mono">{row.ssid}</span>
        </span>
      )}
      {first !== undefined && (
        <span className="sub hint">
          {first}
          {others.length > 0 && ` and ${others.length} more`}
        </span>
      )}
      {row.tags.length > 0 && <Tags row={row} params={params} withCompany={withCompany} />}
    </div>
  );
}

/** The tags of a certificate. Each leads to the company's certificates with this tag. */
function Tags({ row: { tags, companyId }, params, withCompany }: NamesProps) {
  const shown = { search: "", expires: null, ends: null, began: null, state: null, page: 1, selected: null };
  const company = withCompany ? { companyId } : {};
  return (
    <ul className="tags sub" role="list" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Link className="tag mute" to={certificateList.href(params, { ...shown, ...company, tag })}>
            <bdi>{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function State({ row: { certificateStatus, isIssuerRevoked } }: { row: CertificateListItem }) {
  return (
    <span>
      <StatusBadge status={certificateStatus} />
      {isIssuerRevoked && (
        <span className="sub hint">
          <Badge tone="bad">CA revoked</Badge>
        </span>
      )}
    </span>
  );
}

/** Shows the date of a revocation, or of a scheduled revocation, which has not happened yet. */
function Revocation({ row: { revocationDate, certificateStatus } }: { row: CertificateListItem }) {
  if (certificateStatus !== "RequestRevoke") return <Time value={revocationDate} />;
  return (
    <span>
      to be revoked on <Time value={revocationDate} />
    </span>
  );
}

const SOON_DAYS = 30;

const inWords = (days: number) => {
  if (days === 0) return "today";
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? "day" : "days"}`;
  return days > 0 ? `in ${count}` : `${count} ago`;
};

function Expiry({ row: { certificateExpiryDate, daysLeft } }: { row: CertificateListItem }) {
  if (!certificateExpiryDate) return null;
  return (
    <span>
      <Time value={certificateExpiryDate} />
      {daysLeft !== null && (
        <span className="sub hint">
          {daysLeft >= 0 && daysLeft <= SOON_DAYS ? <Badge tone="warn">{inWords(daysLeft)}</Badge> : inWords(daysLeft)}
        </span>
      )}
    </span>
  );
}

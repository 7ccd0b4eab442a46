import { Link } from "@remix-run/react";
import { type CompanyListItem } from "~/domain/companies/staff/companies-list.service.server";
import { companyList, type CompanyListParams, type CompanySort } from "~/domain/companies/staff/company-list";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { NoRecords } from "../lists/no-records";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { Time } from "../ui/time";

interface Props {
  rows: readonly CompanyListItem[];
  total: number;
  hasMore: boolean;
  params: CompanyListParams;
}

/** All companies. The name links to the company. */
export function CompaniesTable({ rows, total, hasMore, params }: Props) {
  const { page, size, sort } = params;
  const all = params.search === "" ? null : companyList.href(params, { search: "", page: 1 });
  const order = `sorted by ${sort.key}${sort.direction === "desc" ? ", descending" : ""}`;
  return (
    <DataTable
      caption="Companies"
      summary={total > 0 ? `${rangeText({ page, size, total, hasMore })}, ${order}` : undefined}
      columns={columns(params)}
      rows={rows}
      rowKey={({ id }) => id}
      empty={<NoRecords search={params.search} all={all} />}
      sort={{
        ...sort,
        href: (key, direction) => companyList.href(params, { sort: { key: key as CompanySort, direction }, page: 1 }),
      }}
    />
  );
}

const columns = (params: CompanyListParams): Column<CompanyListItem>[] => [
  {
    key: "name",
    label: "Name",
    sortable: true,
    rowHeader: true,
    cell: ({ id, name }) => (
      <Link to={companyList.addTo(paths.companyPage(id), params)}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { key: "number", label: "Number", sortable: true, cell: ({ id }) => id, numeric: true },
  { key: "registration", label: "Registration number", cell: (row) => <bdi>{row.companyRegistrationNumber}</bdi> },
  { key: "vat", label: "VAT number", cell: (row) => row.vatNumber },
  { key: "members", label: "Members", cell: (row) => row.members, numeric: true },
  { key: "since", label: "Since", cell: (row) => <Time value={row.createdAt} /> },
];

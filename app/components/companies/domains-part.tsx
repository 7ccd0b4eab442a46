import { Link } from "@remix-run/react";
import { type CompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";
import { StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

type DomainRow = NonNullable<CompanyPage["domains"]>[number];

const COLUMNS: readonly Column<DomainRow>[] = [
  { key: "name", label: "Domain or mailbox", rowHeader: true, cell: ({ shown }) => shown },
  { key: "state", label: "State", cell: ({ state }) => <StatusBadge status={state} /> },
  { key: "method", label: "Confirmed by", cell: ({ confirmedBy }) => confirmedBy },
  { key: "until", label: "Until", cell: ({ until }) => <Time value={until} /> },
  { key: "remark", label: "Remark", cell: ({ remark }) => remark },
  {
    key: "end",
    label: "End",
    cell: ({ endAt, name }) =>
      endAt && (
        <Link to={endAt} aria-label={`End ${name}`}>
          End
        </Link>
      ),
  },
];

/** The domains and mailboxes that a company confirms, has confirmed, or had confirmed lately. */
export const DomainsPart = ({ company: { domains } }: { company: CompanyPage }) =>
  domains && (
    <DataTable
      caption="Domains and mailboxes"
      columns={COLUMNS}
      rows={domains}
      rowKey={({ id }) => id}
      empty="No domains"
    />
  );

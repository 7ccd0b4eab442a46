import { Link } from "@remix-run/react";
import { type DomainView } from "~/domain/companies/domains/domain-view.server";
import { type CompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { accountPaths } from "~/lib/account-paths";
import { DOMAIN_COLUMNS, DomainName } from "../domains/domain-parts";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";

const NAME: Column<DomainView> = {
  key: "name",
  label: "Domain or mailbox",
  rowHeader: true,
  cell: (domain) => <DomainName {...domain} />,
};

const endColumn = (companyId: number): Column<DomainView> => ({
  key: "end",
  label: "End",
  cell: ({ id, name, confirmedAt, endedAt }) =>
    confirmedAt !== null &&
    endedAt === null && (
      <Link to={accountPaths.endDomain(companyId, id)}>
        End<span className="vh"> the confirmation of {name}</span>
      </Link>
    ),
});

/** The domains and mailboxes that a company confirms, has confirmed, or had confirmed lately. */
export function DomainsPart({ company: { id, domains, mayEndDomains } }: { company: CompanyPage }) {
  if (!domains) return null;
  return (
    <DataTable
      caption="Domains and mailboxes"
      columns={[NAME, ...DOMAIN_COLUMNS, ...(mayEndDomains ? [endColumn(id)] : [])]}
      rows={domains}
      rowKey={(domain) => domain.id}
      empty="No domains"
    />
  );
}

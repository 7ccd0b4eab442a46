import { useLocation } from "@remix-run/react";
import { CODES_PAGE, SUBCODE_ROWS, subcodesPage } from "~/domain/orders/maintenance/panel-pages";
import { type Maintenance } from "~/domain/orders/maintenance/panel.service.server";
import { formatEuro } from "~/lib/money";
import { DataTable } from "../lists/data-table";
import { Pagination } from "../lists/pagination";
import { rangeText } from "../lists/table-range";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";

/** Returns the address of this page with another page of one of its tables. */
function usePageLinks() {
  const { pathname, search } = useLocation();
  return (name: string) => (page: number) => {
    const query = new URLSearchParams(search);
    query.set(name, String(page));
    return `${pathname}?${query}`;
  };
}

/** What a maintenance order charges for (SAL-04): each code with its cost and sub-codes. */
export function MaintenancePanel({ lines, page, pages }: Maintenance) {
  const links = usePageLinks();
  return (
    <Card title="Code Maintenance">
      {lines.length === 0 && <p>No records found</p>}
      <div className="pairs">
        {lines.map((line) => (
          <MaintainedCode key={line.id} line={line} href={links(subcodesPage(line.id))} />
        ))}
      </div>
      <Pagination page={page} pages={pages} href={links(CODES_PAGE)} label="Maintained codes pages" />
    </Card>
  );
}

interface CodeProps {
  line: Maintenance["lines"][number];
  href: (page: number) => string;
}

function MaintainedCode({ line, href }: CodeProps) {
  const { code, codeType, costCents, discountNumMonths, subcodes, total, page, pages } = line;
  const months = `${discountNumMonths} ${discountNumMonths === 1 ? "month" : "months"} not charged`;
  return (
    <Card title={<span className="mono">{code}</span>} level={3}>
      <DescriptionList
        hideEmpty
        items={[
          { term: "Code", detail: <span className="mono">{code}</span> },
          { term: "Code type", detail: codeType },
          { term: "Cost", detail: formatEuro(costCents) },
          { term: "Discount", detail: discountNumMonths > 0 && months },
        ]}
      />
      <DataTable
        caption={`Sub-codes of ${code}`}
        summary={total > 0 ? rangeText({ page, size: SUBCODE_ROWS, total }) : undefined}
        columns={[
          {
            key: "subcode",
            label: "Sub-code",
            cell: (subcode: string) => <span className="mono">{subcode}</span>,
            rowHeader: true,
          },
        ]}
        rows={subcodes}
        rowKey={(subcode) => subcode}
      />
      <Pagination page={page} pages={pages} href={href} label={`Sub-codes of ${code} pages`} />
    </Card>
  );
}

import { Link } from "@remix-run/react";
import { codeSearchList, type CodeSearchParams, type CodeSearchSort } from "~/domain/codes/code-search-list";
import { type FoundCode } from "~/domain/codes/search.service.server";
import { paths } from "~/lib/paths";
import { DataTable } from "../lists/data-table";
import { NoRecords } from "../lists/no-records";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { StatusBadge } from "../ui/status-badge";

interface Props {
  rows: readonly FoundCode[];
  /** The certificates that are published at the entities that have any, by the id of the code. */
  published: Readonly<Record<number, { text: string; href: string }>>;
  total: number;
  hasMore: boolean;
  params: CodeSearchParams;
  selected: string | null;
}

const SORTED_BY: Record<CodeSearchSort, string> = {
  code: "code",
  subcode: "sub code",
  company: "company",
  entityName: "entity name",
  city: "city",
  country: "country",
  status: "status",
};

/** The results of a code search (SRC-02). One row can be chosen; the code links to the details where the user may see them. */
export function CodeSearchTable({ rows, published, total, hasMore, params, selected }: Props) {
  const { page, size, sort } = params;
  const order = `sorted by ${SORTED_BY[sort.key]}${sort.direction === "desc" ? ", descending" : ""}`;
  const { code, subCode, company, city } = params;
  const range = rangeText({ page, size, total });
  return (
    <DataTable
      caption="Codes found"
      summary={total > 0 ? `${range}${hasMore ? " listed" : ""}, ${order}` : undefined}
      columns={columns(params, published)}
      rows={rows}
      rowKey={(row) => row.id}
      empty={<NoRecords search={[code.trim(), subCode, company, city]} all={codeSearchList.href({ size, sort })} />}
      sort={{
        ...sort,
        href: (key, direction) =>
          codeSearchList.href(params, { sort: { key: key as CodeSearchSort, direction }, page: 1, selected: null }),
      }}
      select={{
        type: "radio",
        name: "id",
        label: (row) => `Select ${row.code} ${row.subcode}`.trim(),
        selected: selected === null ? [] : [selected],
        query: codeSearchList.href(params, { selected: null }),
      }}
    />
  );
}

function columns(params: CodeSearchParams, published: Props["published"]): Column<FoundCode>[] {
  const column = (
    key: CodeSearchSort,
    label: string,
    cell: (row: FoundCode) => React.ReactNode,
  ): Column<FoundCode> => ({ key, label, cell, sortable: true });
  return [
    { ...column("code", "Code", (row) => <Code row={row} params={params} />), rowHeader: "short" },
    column("subcode", "Subcode", (row) => row.subcode && <span className="mono">{row.subcode}</span>),
    column("company", "Company", (row) => <bdi>{row.company}</bdi>),
    column("entityName", "Entity Name", ({ id, entityName }) => {
      const certificates = published[id];
      return (
        <span>
          <bdi>{entityName}</bdi>
          {certificates && (
            <span className="sub">
              <Link to={certificates.href}>{certificates.text}</Link>
            </span>
          )}
        </span>
      );
    }),
    column("city", "City", (row) => row.city && <bdi>{row.city}</bdi>),
    column("country", "Country", (row) => row.country),
    column("status", "Status", (row) => <StatusBadge status={row.status} />),
  ];
}

function Code({ row: { id, code, barriers }, params }: { row: FoundCode; params: CodeSearchParams }) {
  const text = <span className="mono">{code}</span>;
  if ("view" in barriers) return text;
  return <Link to={paths.codeDetails({ code: id, from: codeSearchList.href(params, { selected: id }) })}>{text}</Link>;
}

import { Link } from "@remix-run/react";
import { codeList, type CodeListParams, type CodeSort } from "~/domain/codes/list/code-list";
import { type CodeListItem } from "~/domain/codes/list/service.server";
import { paths } from "~/lib/paths";
import { CompanyLink } from "../companies/names";
import { DataTable } from "../lists/data-table";
import { NoRecords } from "../lists/no-records";
import { type Column } from "../lists/table-columns";
import { rangeText } from "../lists/table-range";
import { StatusBadge } from "../ui/status-badge";

interface Props {
  id: string;
  rows: readonly CodeListItem[];
  total: number;
  hasMore: boolean;
  params: CodeListParams;
  /** Shows the codes of all customers, for administrators. */
  forStaff: boolean;
  /** Shows who registered. */
  withPeople: boolean;
  selected: string | null;
}

const SORTED_BY: Record<CodeSort, string> = {
  code: "code",
  codeType: "type",
  subcode: "subcode",
  company: "company",
  email: "email",
  entityName: "entity name",
  status: "status",
};

/** The registered codes (COD-01). One row can be chosen; the code links to its details. */
export function CodesTable({ id, rows, total, hasMore, params, forStaff, withPeople, selected }: Props) {
  const { page, size, sort } = params;
  const order = `sorted by ${SORTED_BY[sort.key]}${sort.direction === "desc" ? ", descending" : ""}`;
  return (
    <DataTable
      id={id}
      caption={forStaff ? "All registered codes" : "Your registered codes"}
      summary={total > 0 ? `${rangeText({ page, size, total, hasMore })}, ${order}` : undefined}
      columns={[...columns(params, forStaff), ...(withPeople ? [REGISTERED_BY] : [])]}
      rows={rows}
      rowKey={(row) => row.id}
      empty={<NoCodes params={params} forStaff={forStaff} />}
      sort={{
        ...sort,
        href: (key, direction) =>
          codeList.href(params, {
            sort: { key: key as CodeSort, direction },
            page: 1,
            selected: null,
          }),
      }}
      select={{
        type: "radio",
        name: "id",
        label: (row) => `Select ${row.fullCode}, ${row.entityName}`,
        selected: selected === null ? [] : [selected],
        query: codeList.href(params, { selected: null }),
      }}
    />
  );
}

function NoCodes({ params, forStaff }: Pick<Props, "params" | "forStaff">) {
  const { search } = params;
  const all = search === "" ? null : codeList.href(params, { search: "", page: 1, selected: null });
  return (
    <NoRecords search={search} all={all}>
      {forStaff
        ? "Here you find the codes that customers have registered."
        : "Here you find the codes that your company has registered. Purchase an ID code first; once it is paid, it can be registered here."}
    </NoRecords>
  );
}

const REGISTERED_BY: Column<CodeListItem> = {
  key: "registeredBy",
  label: "Registered by",
  cell: (row) => <bdi>{row.registeredBy}</bdi>,
};

function columns(params: CodeListParams, forStaff: boolean): Column<CodeListItem>[] {
  const column = (
    key: CodeSort,
    label: string,
    cell: (row: CodeListItem) => React.ReactNode,
  ): Column<CodeListItem> => ({ key, label, cell, sortable: true });
  return [
    { ...column("code", "Code", (row) => <CodeLink row={row} params={params} />), rowHeader: "short" },
    column("codeType", "Type", (row) => row.codeType),
    column("subcode", "Subcode", (row) => row.subcode && <span className="mono">{row.subcode}</span>),
    column("company", "Company", (row) =>
      forStaff ? <CompanyLink id={row.companyId} name={row.company} /> : row.company,
    ),
    column("email", "Email", (row) => row.email),
    column("entityName", "Entity Name", (row) => row.entityName),
    column("status", "Status", (row) => <StatusBadge status={row.status} />),
  ];
}

function CodeLink({ row, params }: { row: CodeListItem; params: CodeListParams }) {
  const from = codeList.href(params, { selected: row.id });
  return (
    <span className="mono">
      <Link to={paths.codeDetails({ code: row.id, from })}>{row.code}</Link>
      <span className="sub hint">
        <span className="vh">Full code </span>
        {row.fullCode}
      </span>
    </span>
  );
}

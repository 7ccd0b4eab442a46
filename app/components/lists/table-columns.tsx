import { Link, type LinkProps } from "@remix-run/react";

export type SortDirection = "asc" | "desc";

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => React.ReactNode;
  sortable?: boolean;
  numeric?: boolean;
  /** The cell that names the row. `short` is for a number or a code, which needs little room and never breaks. */
  rowHeader?: boolean | "short";
}

export interface Sort {
  key: string;
  direction: SortDirection;
  href: (key: string, direction: SortDirection) => string;
  /** The component to use instead of a plain link for sorting. */
  link?: React.ComponentType<LinkProps>;
}

const ariaSort = { asc: "ascending", desc: "descending" } as const;

/** The heading of a column. Sortable ones are links that keep all other query parameters. */
export function ColumnHeading<Row>({ column, sort }: { column: Column<Row>; sort: Sort | undefined }) {
  const direction = sort?.key === column.key ? sort.direction : undefined;
  const SortLink = sort?.link ?? Link;
  const next: SortDirection = direction === "asc" ? "desc" : "asc";
  return (
    <th
      scope="col"
      role="columnheader"
      className={column.numeric ? "num" : undefined}
      aria-sort={direction ? ariaSort[direction] : undefined}
    >
      {column.sortable && sort ? (
        <SortLink to={sort.href(column.key, next)} preventScrollReset>
          {column.label}
          {direction && <span aria-hidden="true">{direction === "asc" ? "▲" : "▼"}</span>}
        </SortLink>
      ) : (
        column.label
      )}
    </th>
  );
}

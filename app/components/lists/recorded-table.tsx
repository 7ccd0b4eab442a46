import { DataTable } from "./data-table";
import { type Column, type SortDirection } from "./table-columns";
import { rangeText } from "./table-range";

interface Props<Row extends { id: number }> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  total: number;
  params: { page: number; size: number; sort: { key: string; direction: SortDirection } };
  /** What an empty table says. */
  empty?: React.ReactNode;
  /** Returns the address of the list's first page in this order. */
  href: (direction: SortDirection) => string;
}

/** A table of entries in the order in which they were recorded, which is the only column that sorts it. */
export function RecordedTable<Row extends { id: number }>(props: Props<Row>) {
  const { caption, columns, rows, total, empty, href } = props;
  const { page, size, sort } = props.params;
  const order = sort.direction === "desc" ? "the latest first" : "the oldest first";
  return (
    <DataTable
      caption={caption}
      summary={total > 0 ? `${rangeText({ page, size, total })}, ${order}` : undefined}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      empty={empty}
      sort={{ ...sort, href: (_key, direction) => href(direction) }}
    />
  );
}

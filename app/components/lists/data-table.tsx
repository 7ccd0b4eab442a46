import { Link } from "@remix-run/react";
import { type Column, ColumnHeading, type Sort } from "./table-columns";

interface Selection<Row> {
  type: "radio" | "checkbox";
  name: string;
  label: (row: Row) => string;
  selected?: readonly string[];
  /** The query string of the list page. When it changes, the ticks are reset to `selected`. */
  query: string;
  /**
   * Adds a way to tick all rows: a checkbox in the heading, or without scripts a link to the page with all rows ticked, or none.
   * `isSelected` says whether all rows are ticked at first.
   */
  all?: { isSelected: boolean; to: string };
}

interface Props<Row> {
  /** The target of an error summary's link about the choice of a row. */
  id?: string;
  caption: string;
  /** E.g. '1 to 10 of 37, sorted by expiry date'. */
  summary?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  sort?: Sort;
  select?: Selection<Row>;
  /** What an empty table says. */
  empty?: React.ReactNode;
}

/** With scripts a click anywhere on a row selects it. Links and controls in the row still work. */
function selectRow(event: React.MouseEvent<HTMLTableRowElement>) {
  if (event.target instanceof Element && event.target.closest("a, button, input, label, summary")) return;
  event.currentTarget.querySelector<HTMLInputElement>(".sel input")?.click();
}

/** Ticks all rows with the checkbox in the heading, and keeps that up to date when a row is ticked. */
function followTicks({ target, currentTarget }: React.FormEvent<HTMLTableElement>) {
  const all = currentTarget.querySelector<HTMLInputElement>("thead input");
  if (!all) return;
  const rows = [...currentTarget.querySelectorAll<HTMLInputElement>(".sel input:enabled")];
  if (target === all) for (const row of rows) row.checked = all.checked;
  const ticked = rows.filter((row) => row.checked).length;
  all.checked = ticked === rows.length;
  all.indeterminate = ticked > 0 && !all.checked;
}

/**
 * A table. On narrow screens each row is stacked, and the sortable headings are shown above the rows (tables.css). The roles are explicit,
 * because browsers remove them from a table with another CSS display type.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { id, caption, summary, columns, rows, rowKey, sort, empty = "No records found" } = props;
  const select = rows.length > 0 ? props.select : undefined; // an empty table has nothing to select
  return (
    <div id={id} className="tbl" role="region" aria-label={caption} tabIndex={0}>
      <table role="table" onChange={select?.all && followTicks}>
        <caption>
          {caption}
          {summary && <span className="muted"> – {summary}</span>}
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            {select && (
              <td role="columnheader" className={select.all && "all"}>
                <span className="vh">Select</span>
                {select.all && <SelectAll key={select.query} {...select.all} />}
              </td>
            )}
            {columns.map((column) => (
              <ColumnHeading key={column.key} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        {/* Only the rows are mounted again, so that the focus stays on the heading when sorting with the keyboard. */}
        <tbody key={select?.query} role="rowgroup">
          {rows.length === 0 && (
            <tr role="row">
              <td role="cell" colSpan={columns.length + (select ? 1 : 0)}>
                {empty}
              </td>
            </tr>
          )}
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" onClick={select && selectRow}>
              {select && <SelectCell row={row} value={String(rowKey(row))} select={select} />}
              {columns.map((column) => (
                <Cell key={column.key} row={row} column={column} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SelectAll({ isSelected, to }: { isSelected: boolean; to: string }) {
  return (
    <>
      <label className="js-only">
        <input type="checkbox" defaultChecked={isSelected} aria-label="Select all rows of this page" />
        <span aria-hidden="true">All</span>
      </label>
      <Link to={to} className="no-js">
        Select {isSelected ? "none" : "all"}
      </Link>
    </>
  );
}

function SelectCell<Row>({ row, value, select }: { row: Row; value: string; select: Selection<Row> }) {
  return (
    <td className="sel" role="cell">
      <input
        type={select.type}
        name={select.name}
        value={value}
        defaultChecked={select.selected?.includes(value)}
        aria-label={select.label(row)}
      />
    </td>
  );
}

/**
 * Returns the class of a cell. Numbers, order numbers and single words stay on one line; longer texts, such as names, may break anywhere.
 */
function textClass(content: React.ReactNode): string | false {
  if (typeof content === "number") return "short";
  return typeof content === "string" && (/^[\p{L}\d./:-]{1,14}$/u.test(content) ? "short" : "long");
}

function Cell<Row>({ row, column }: { row: Row; column: Column<Row> }) {
  const content = column.cell(row);
  const width = column.rowHeader ? column.rowHeader === "short" && "short" : textClass(content);
  const className = [column.numeric && "num", width].filter(Boolean).join(" ") || undefined;
  if (column.rowHeader) {
    return (
      <th scope="row" role="rowheader" className={className}>
        {content}
      </th>
    );
  }
  return (
    <td className={className} data-l={column.label} role="cell">
      {content}
    </td>
  );
}

import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { pagesOf, readNumber } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { countOrderLines, listOrderLines } from "~db/repositories/maintenance.server";
import { type Row } from "~db/tables";
import { CODES_PAGE, SUBCODE_ROWS, subcodesPage } from "./panel-pages";

/** The number of codes on one page of the panel. */
const CODE_ROWS = 10;
const LAST_PAGE = 1_000_000;

const pageOf = (query: URLSearchParams, name: string, pages: number) =>
  Math.min(readNumber(query.get(name), LAST_PAGE) ?? 1, pages);

function toLine(line: Row<"orderLines">, query: URLSearchParams) {
  const subcodes = JSON.parse(line.subcodes) as string[];
  const pages = pagesOf(subcodes.length, SUBCODE_ROWS);
  const page = pageOf(query, subcodesPage(line.id), pages);
  return {
    id: line.id,
    code: line.code,
    codeType: CODE_TYPE_LABELS[line.codeType],
    costCents: line.costCents,
    discountNumMonths: line.discountNumMonths,
    subcodes: subcodes.slice((page - 1) * SUBCODE_ROWS, page * SUBCODE_ROWS),
    total: subcodes.length,
    page,
    pages,
  };
}

/**
 * Returns one page of the codes of a maintenance order, each with one page of its sub-codes (SAL-04).
 *
 * @param query The query string of the page. It selects the pages to return.
 */
export async function findMaintenance(orderId: number, query: URLSearchParams) {
  const pages = pagesOf(await countOrderLines(getDb(), orderId), CODE_ROWS);
  const page = pageOf(query, CODES_PAGE, pages);
  const lines = await listOrderLines(getDb(), orderId, { offset: (page - 1) * CODE_ROWS, limit: CODE_ROWS });
  return { lines: lines.map((line) => toLine(line, query)), page, pages };
}

export type Maintenance = Awaited<ReturnType<typeof findMaintenance>>;

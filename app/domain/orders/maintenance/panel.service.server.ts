import { CODE_TYPE_LABELS } from "~/domain/codes/code-types";
import { pagesOf, readNumber } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { countOrderLines, listOrderLines } from "~db/repositories/maintenance.server";
import { type Row } from "~db/tables";
import { CODES_PAGE, SUBCODE_ROWS, subcodesPage } from "./panel-pages";

/** Codes on one page of the panel. */
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

/** The codes of a maintenance order with one page of each one's sub-codes (SAL-04). In: the page's query, which says which pages. */
export async function findMaintenance(orderId: number, query: URLSearchParams) {
  const pages = pagesOf(await countOrderLines(getDb(), orderId), CODE_ROWS);
  const page = pageOf(query, CODES_PAGE, pages);
  const lines = await listOrderLines(getDb(), orderId, { offset: (page - 1) * CODE_ROWS, limit: CODE_ROWS });
  return { lines: lines.map((line) => toLine(line, query)), page, pages };
}

export type Maintenance = Awaited<ReturnType<typeof findMaintenance>>;

import { LARGEST_ID, listParams, readNumber, type ListParams } from "~/lib/list-params";

/** The columns of the list that can be sorted, by the specification's names. */
export const CODE_SORTS = ["code", "codeType", "subcode", "company", "email", "entityName", "status"] as const;
export type CodeSort = (typeof CODE_SORTS)[number];

/** The page's two sections (B §2: showOrders, showCodes). */
export const CODE_SECTIONS = ["orders", "codes"] as const;
export type CodeSection = (typeof CODE_SECTIONS)[number];

export interface CodeListParams extends ListParams<CodeSort> {
  /** The only section that is shown; null = both. */
  show: CodeSection | null;
  /** The row that was chosen when the page was left for details. */
  selected: number | null;
}

const base = listParams(CODE_SORTS, { key: "code", direction: "asc" });

/** Reads the list's place from a URL; never fails. */
export const readCodeListParams = (query: URLSearchParams): CodeListParams => ({
  ...base.read(query),
  show: CODE_SECTIONS.find((section) => section === query.get("show")) ?? null,
  selected: readNumber(query.get("selected"), LARGEST_ID),
});

/** The list's place as a query; what is at its default is left out. */
export function codeListPlace(params: CodeListParams): URLSearchParams {
  const query = base.write(params);
  if (params.show !== null) query.set("show", params.show);
  if (params.selected !== null) query.set("selected", String(params.selected));
  return query;
}

/** `path`, which may have a query, with the list's place behind it, so that the way back leads to the same page and row. */
export function withCodeListPlace(path: string, params: CodeListParams, change: Partial<CodeListParams> = {}): string {
  const place = codeListPlace({ ...params, ...change }).toString();
  return place ? path + (path.includes("?") ? "&" : "?") + place : path;
}

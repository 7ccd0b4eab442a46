import { listParams, readNumber, SEARCH_LIMIT, searchText, type ListParams } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The results' columns, all of which can be sorted, by the specification's names (B §3). */
export const CODE_SEARCH_SORTS = ["code", "subcode", "company", "entityName", "city", "country", "status"] as const;
export type CodeSearchSort = (typeof CODE_SEARCH_SORTS)[number];

/** What is searched for, as it was typed. */
export const CODE_SEARCH_FIELDS = ["code", "subCode", "company", "city", "country"] as const;
export type CodeSearchField = (typeof CODE_SEARCH_FIELDS)[number];

export interface CodeSearchParams extends ListParams<CodeSearchSort>, Record<CodeSearchField, string> {
  /** Whether anything was searched for, be it nothing: the page is opened without. */
  isAsked: boolean;
  /** The row that was chosen when the page was left for details. */
  selected: number | null;
}

const base = listParams(CODE_SEARCH_SORTS, { key: "code", direction: "asc" });

const LAST_ID = 2_147_483_647;

/** One line without control characters; blanks stay, because a sub code alone is typed behind them. */
const codeText = (text: string) =>
  text
    .replace(/\s/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .slice(0, SEARCH_LIMIT);

/** Reads a search and its place from a URL; never fails. */
export function readCodeSearch(query: URLSearchParams): CodeSearchParams {
  const read = (field: CodeSearchField) => searchText(query.get(field) ?? "");
  return {
    ...base.read(query),
    search: "",
    code: codeText(query.get("code") ?? ""),
    subCode: read("subCode"),
    company: read("company"),
    city: read("city"),
    country: read("country"),
    isAsked: CODE_SEARCH_FIELDS.some((field) => query.has(field)),
    selected: readNumber(query.get("selected"), LAST_ID),
  };
}

/** The search and its place as a query; what is at its default is left out. */
export function codeSearchPlace(params: CodeSearchParams): URLSearchParams {
  const query = base.write(params);
  for (const field of CODE_SEARCH_FIELDS) if (params[field] !== "") query.set(field, params[field]);
  if (params.selected !== null) query.set("selected", String(params.selected));
  return query;
}

/** The search at this place. */
export function codeSearch(params: CodeSearchParams, change: Partial<CodeSearchParams> = {}): string {
  const query = codeSearchPlace({ ...params, ...change }).toString();
  return query ? `${paths.searchCodes}?${query}` : paths.searchCodes;
}

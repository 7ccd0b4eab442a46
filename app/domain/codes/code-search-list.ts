import { defineList, isGiven, type ListParam, type ParamsOf, rowId, SEARCH_LIMIT, typedTexts } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The columns of the results by the names of the specification (SRC-02). All of them can be sorted. */
const CODE_SEARCH_SORTS = ["code", "subcode", "company", "entityName", "city", "country", "status"] as const;
export type CodeSearchSort = (typeof CODE_SEARCH_SORTS)[number];

/** The fields of the search, as typed. */
const CODE_SEARCH_FIELDS = ["code", "subCode", "company", "city", "country"] as const;
export type CodeSearchField = (typeof CODE_SEARCH_FIELDS)[number];

/** A line of text without control characters. Leading spaces stay, because a sub-code alone is typed after four of them. */
const codeText: ListParam<string> = {
  read: (query, name) =>
    (query.get(name) ?? "")
      .replace(/\s/g, " ")
      .replace(/[\p{Cc}\p{Cf}]/gu, "")
      .slice(0, SEARCH_LIMIT),
  write: (text) => text,
};

export const codeSearchList = defineList({
  path: paths.searchCodes,
  sorts: CODE_SEARCH_SORTS,
  first: { key: "code", direction: "asc" },
  filters: {
    ...typedTexts(CODE_SEARCH_FIELDS),
    code: codeText,
    /** Whether the form was sent, even with empty fields. The page first opens without a search. */
    isAsked: isGiven(CODE_SEARCH_FIELDS),
    /** The row that was selected when the user left the page for details. */
    selected: rowId,
  },
});

export type CodeSearchParams = ParamsOf<typeof codeSearchList>;

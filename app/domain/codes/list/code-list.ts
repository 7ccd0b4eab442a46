import { defineList, oneOf, type ParamsOf, rowId, typedText } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The columns by which the table can be sorted, by the names of the specification. */
const CODE_SORTS = ["code", "codeType", "subcode", "company", "email", "entityName", "status"] as const;
export type CodeSort = (typeof CODE_SORTS)[number];

/** The two sections of the page (COD-01). */
const CODE_SECTIONS = ["orders", "codes"] as const;

export const codeList = defineList({
  path: paths.codes,
  sorts: CODE_SORTS,
  first: { key: "code", direction: "asc" },
  filters: {
    search: typedText,
    /** The only section to show. Null shows both. */
    show: oneOf(CODE_SECTIONS),
    /** Only the codes and orders of this company, for staff. */
    companyId: rowId,
    /** The row that was selected when the user left the page for details. */
    selected: rowId,
  },
});

export type CodeListParams = ParamsOf<typeof codeList>;

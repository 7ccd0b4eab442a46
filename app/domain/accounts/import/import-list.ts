import { defineListQuery, type ParamsOf, stateIn } from "~/lib/list-params";

/** What becomes, or has become, of a row of a file. */
export const IMPORT_OUTCOMES = ["Wrong", "New", "Imported", "Existing"] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** The lines of a file of accounts. The path of the page names the import. */
export const importList = defineListQuery({
  sorts: ["line"],
  first: { key: "line", direction: "asc" },
  filters: { outcome: stateIn(IMPORT_OUTCOMES) },
});

export type ImportListParams = ParamsOf<typeof importList>;

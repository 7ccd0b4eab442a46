import { defineList, defineListQuery, type ParamsOf, typedText } from "~/lib/list-params";
import { paths } from "~/lib/paths";

/** The columns by which the table of companies can be sorted. */
const COMPANY_SORTS = ["name", "number"] as const;
export type CompanySort = (typeof COMPANY_SORTS)[number];

/** The list of all companies, for staff. */
export const companyList = defineList({
  path: paths.companies,
  sorts: COMPANY_SORTS,
  first: { key: "name", direction: "asc" },
  filters: { search: typedText },
});

export type CompanyListParams = ParamsOf<typeof companyList>;

/** The list of the notes about one company. */
export const companyNoteList = defineListQuery({
  sorts: ["written"],
  first: { key: "written", direction: "desc" },
  filters: {},
});

export type CompanyNoteListParams = ParamsOf<typeof companyNoteList>;

import { foldForSearch } from "~/lib/fold-text";
import { type NewRow } from "~db/tables";
import { fullCode } from "./code-types";

/** What a code is found by, beside itself. */
export interface FoundBy {
  /** Company and e-mail of the owner's account. */
  company: string;
  email: string;
  /** Of the physical address; empty and null when it is missing. */
  city: string;
  countryId: number | null;
}

type Named = Pick<NewRow<"codes">, "codeType" | "code" | "subcode" | "entityName">;

/** The columns that lists of codes are searched and ordered by. */
export function codeSearchColumns(code: Named, { company, email, city, countryId }: FoundBy) {
  const words = [code.code, fullCode(code), company, email, code.entityName].map(foldForSearch);
  return {
    sortCompany: foldForSearch(company),
    sortEmail: foldForSearch(email),
    sortEntity: foldForSearch(code.entityName),
    sortCity: foldForSearch(city),
    countryId,
    searchText: [...new Set(words)].join(" "),
  } satisfies Partial<NewRow<"codes">>;
}

import { foldForSearch } from "~/lib/fold-text";
import { type NewRow } from "~db/tables";
import { fullCode } from "./code-types";

/** The data of the owner and of the address by which users can find a code. */
export interface FoundBy {
  /** The company that owns the code, and the email of the account that registered it. */
  company: string;
  email: string;
  /** The city and country of the physical address; "" and null when it is missing. */
  city: string;
  countryId: number | null;
}

type Named = Pick<NewRow<"codes">, "codeType" | "code" | "subcode" | "entityName">;

/** Returns the search and sort columns of a code. */
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

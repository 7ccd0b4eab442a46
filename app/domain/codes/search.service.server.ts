import { may, maySee } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { PortalError } from "~/lib/errors";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import {
  type CodeCondition,
  type FoundCodeRow,
  listFoundCodes,
  searchCodes,
} from "~db/repositories/code-search.server";
import { countCodesOf, findCode } from "~db/repositories/codes.server";
import { listCountries } from "~db/repositories/countries.server";
import { type CodeSearchParams } from "./code-search-list";
import { FOREIGN_DETAILS } from "./search-texts";
import { type CodeCriteria, type CodeSearchErrors, readCodeCriteria } from "./search.policy";

/** Returns how many codes and sub-codes the user's company has. */
export const countOwnCodes = ({ companyId }: SessionUser): Promise<number> => countCodesOf(getDb(), companyId);

/** Returns whether a user may search the register. Administrators may, and members of a company with at least one code (SRC-02). */
export const maySearchCodes = async (user: SessionUser): Promise<boolean> =>
  may(user, "see-customers") || (await countOwnCodes(user)) > 0;

const toRow = ({ companyId, ...row }: FoundCodeRow, user: SessionUser) => ({
  ...row,
  city: row.city ?? "",
  country: row.country ?? "",
  /** Why the details are not shown, by the button's `intent`. */
  barriers: maySee(user, { companyId }) ? {} : { view: FOREIGN_DETAILS },
});

export type FoundCode = ReturnType<typeof toRow>;

const toConditions = ({ code, subcode, companyWords, cityWords, countryId }: CodeCriteria): CodeCondition[] => [
  ...(code ? [{ by: "code" as const, code, subcode }] : []),
  ...companyWords.map((prefix) => ({ by: "word" as const, field: "company" as const, prefix })),
  ...cityWords.map((prefix) => ({ by: "word" as const, field: "city" as const, prefix })),
  ...(countryId === null ? [] : [{ by: "country" as const, countryId }]),
];

interface Results {
  rows: FoundCode[];
  total: number;
  /** Whether there are more codes than were counted and are shown. */
  hasMore: boolean;
  pages: number;
}

/** Returns one page of the results of a search. When the requested page is past the end, this is the last page. */
async function findResults(user: SessionUser, criteria: CodeCriteria, { sort, size, page }: CodeSearchParams) {
  const { ids, hasMore } = await searchCodes(getDb(), toConditions(criteria));
  const pages = pagesOf(ids.length, size);
  const offset = (Math.min(page, pages) - 1) * size;
  const rows = ids.length === 0 ? [] : await listFoundCodes(getDb(), ids, { sort, offset, limit: size });
  return { rows: rows.map((row) => toRow(row, user)), total: ids.length, hasMore, pages };
}

/**
 * Returns the data of the search page: the countries to choose from, and the results or errors of the search. There are neither before the
 * first search.
 */
export async function searchCodesFor(
  user: SessionUser,
  params: CodeSearchParams,
): Promise<{
  countries: { value: string; label: string }[];
  params: CodeSearchParams;
  errors: CodeSearchErrors;
  results: Results | null;
}> {
  const known = await listCountries(getDb());
  const countries = known.map(({ id, printableName }) => ({ value: String(id), label: printableName }));
  if (!params.isAsked) return { countries, params, errors: {}, results: null };
  const read = readCodeCriteria(params, new Set(known.map(({ id }) => id)));
  if ("errors" in read) return { countries, params, errors: read.errors, results: null };
  const results = await findResults(user, read.criteria, params);
  return { countries, params: { ...params, page: Math.min(params.page, results.pages) }, errors: {}, results };
}

/** Throws a PortalError for the field `id` when this user may not see the details of the code. */
export async function requireVisibleCode(user: SessionUser, id: number): Promise<void> {
  const code = await findCode(getDb(), id);
  if (!code) throw new PortalError("The code was not found.", { code: "code.view", field: "id" });
  if (!maySee(user, code)) throw new PortalError(FOREIGN_DETAILS, { code: "code.view", field: "id" });
}

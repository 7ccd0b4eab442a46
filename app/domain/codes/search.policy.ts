import { messages } from "~/lib/messages";
import { searchWords } from "~/lib/search-words";
import { type CodeSearchField, type CodeSearchParams } from "./code-search-list";
import { CODE_LIMIT, SEARCH_LIMITS, SEARCH_MESSAGES } from "./search-texts";

/** The criteria of a search. Empty and null ones do not restrict it. */
export interface CodeCriteria {
  code: string;
  subcode: string;
  companyWords: string[];
  cityWords: string[];
  countryId: number | null;
}

export type CodeSearchErrors = Partial<Record<CodeSearchField | "form", string>>;

const CODE_LENGTH = 4;
const SUBCODE_LENGTH = 2;

/** Splits a text into code and sub-code (SRC-01): the first four characters and the rest. The four characters may all be blank. */
function splitCode(typed: string): { code: string; subcode: string } {
  const code = typed.slice(0, CODE_LENGTH).trim() === "" ? "" : typed.trim().slice(0, CODE_LENGTH);
  const rest = code === "" ? typed.trim() : typed.trim().slice(CODE_LENGTH);
  return { code: code.toUpperCase(), subcode: rest.trim().toUpperCase() };
}

/**
 * Returns the criteria of a search, or its errors by field (SRC-01).
 *
 * @param countries The ids of all countries.
 */
export function readCodeCriteria(
  params: Pick<CodeSearchParams, CodeSearchField>,
  countries: ReadonlySet<number>,
): { criteria: CodeCriteria } | { errors: CodeSearchErrors } {
  const split = splitCode(params.code);
  const code = split.code;
  const subcode = split.subcode || params.subCode.toUpperCase();
  const country = params.country === "-1" ? "" : params.country; // the value for no country (API-03)
  const errors: CodeSearchErrors = {};
  if (params.code.trim().length > CODE_LIMIT || subcode.length > SUBCODE_LENGTH) errors.code = messages.outOfRange;
  else if (subcode && !code) errors.code = SEARCH_MESSAGES.subcodeAlone;
  else if (params.subCode && params.subCode.toUpperCase() !== subcode) errors.subCode = messages.notEqual;
  for (const field of ["company", "city"] as const)
    if (params[field].length > SEARCH_LIMITS[field]) errors[field] = messages.outOfRange;
  if (country && !countries.has(Number(country))) errors.country = messages.collection;
  if (Object.keys(errors).length > 0) return { errors };
  const companyWords = searchWords(params.company);
  const cityWords = searchWords(params.city);
  if (!code && !country && companyWords.length + cityWords.length === 0)
    return { errors: { form: SEARCH_MESSAGES.empty } };
  return { criteria: { code, subcode, companyWords, cityWords, countryId: country ? Number(country) : null } };
}

import { searchText } from "~/lib/list-params";

/** What an evidence pack can be about: a certificate or a company, a period, or one of them in a period. */
export const PACK_FIELDS = ["certificate", "company", "from", "to"] as const;
export type PackField = (typeof PACK_FIELDS)[number];
export type PackQuery = Record<PackField, string>;
export type PackErrors = Partial<PackQuery>;

/** Returns what was typed. */
export const readPackQuery = (query: URLSearchParams): PackQuery =>
  Object.fromEntries(PACK_FIELDS.map((name) => [name, searchText(query.get(name) ?? "")])) as PackQuery;

export const isAsked = (query: PackQuery): boolean => PACK_FIELDS.some((name) => query[name] !== "");

import { type SearchKind } from "./search-kinds";

/** One thing that was found. */
export interface SearchResult {
  /** The id of the thing. Null for an invoice that the portal did not issue. */
  id: number | null;
  /** The address of its page. */
  href: string;
  title: string;
  detail: string;
  /** A status as lists show it. */
  status?: string;
}

/** What was found of one kind. */
export interface SearchGroup {
  kind: SearchKind;
  results: SearchResult[];
  total: number;
  /** Whether there are more than `total`, which were not counted. */
  hasMore: boolean;
  /** The address of the list with all of them, or null when all are shown. */
  all: string | null;
}

/** A result that is suggested while the words are typed. */
export type Suggestion = Pick<SearchResult, "href" | "title" | "detail"> & { kind: string };

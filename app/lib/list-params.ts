export const PAGE_SIZES = [10, 25, 50, 100] as const;
export type Direction = "asc" | "desc";

export interface SortOrder<Key extends string = string> {
  key: Key;
  direction: Direction;
}

/** What a list shows: which page, how many rows, in which order, which of them. */
export interface ListParams<Key extends string = string> {
  page: number;
  size: number;
  sort: SortOrder<Key>;
  search: string;
}

export const SEARCH_LIMIT = 200;
const LAST_PAGE = 10_000_000;
/** The largest id that both databases hold. */
export const LARGEST_ID = 2_147_483_647;

/** A whole number from 1 to `max` out of a URL, else null. */
export function readNumber(text: string | null, max: number): number | null {
  if (text === null || !/^[1-9]\d{0,9}$/.test(text)) return null;
  return Number(text) <= max ? Number(text) : null;
}

/** The rows that were ticked, as a form or a URL has them: none, one, or several. What is no id is left out. */
export const chosenIds = (texts: readonly unknown[]): number[] => [
  ...new Set(texts.map((text) => readNumber(String(text), LARGEST_ID)).filter((id) => id !== null)),
];

/** One of the listed numbers out of a URL, else null. */
export function readOneOf<const N extends number>(text: string | null, allowed: readonly N[]): N | null {
  return allowed.find((value) => String(value) === text) ?? null;
}

const sortText = ({ key, direction }: SortOrder) => `${key}.${direction}`;

/** One line without control characters, which no database takes (NUL) and nobody types. */
export const searchText = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .trim()
    .replace(/ {2,}/g, " ")
    .slice(0, SEARCH_LIMIT)
    .trimEnd();

/** One list's parameters in the URL. Reading never fails: what is not understood is the default. Defaults leave the URL. */
export function listParams<const Key extends string>(keys: readonly Key[], first: SortOrder<NoInfer<Key>>) {
  const readSort = (text: string | null): SortOrder<Key> => {
    const [name, direction, ...rest] = (text ?? "").split(".");
    const key = keys.find((known) => known === name);
    const isOrder = (direction === "asc" || direction === "desc") && rest.length === 0;
    return key && isOrder ? { key, direction } : first;
  };
  return {
    read: (query: URLSearchParams): ListParams<Key> => ({
      page: readNumber(query.get("page"), LAST_PAGE) ?? 1,
      size: readOneOf(query.get("size"), PAGE_SIZES) ?? PAGE_SIZES[0],
      sort: readSort(query.get("sort")),
      search: searchText(query.get("search") ?? ""),
    }),
    write: (params: ListParams<Key>): URLSearchParams => {
      const query = new URLSearchParams();
      if (params.page > 1) query.set("page", String(params.page));
      if (params.size !== PAGE_SIZES[0]) query.set("size", String(params.size));
      if (sortText(params.sort) !== sortText(first)) query.set("sort", sortText(params.sort));
      if (params.search) query.set("search", params.search);
      return query;
    },
  };
}

/** How many pages `total` rows make; an empty list has one. */
export const pagesOf = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize));

/** `%`, `_` and the escape itself lose their meaning in a LIKE pattern; use with `escape '\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);

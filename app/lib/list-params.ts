export const PAGE_SIZES = [10, 25, 50, 100] as const;
export type Direction = "asc" | "desc";

export interface SortOrder<Key extends string = string> {
  key: Key;
  direction: Direction;
}

export const SEARCH_LIMIT = 200;
const LAST_PAGE = 10_000_000;
/** The largest id that both databases can store. */
export const LARGEST_ID = 2_147_483_647;

/** Returns a whole number from 1 to `max` from a query string, or null. */
export function readNumber(text: string | null, max: number): number | null {
  if (text === null || !/^[1-9]\d{0,9}$/.test(text)) return null;
  return Number(text) <= max ? Number(text) : null;
}

/** Returns the ids of the selected rows in a form or a query string. Texts that are not ids are ignored. */
export const chosenIds = (texts: readonly unknown[]): number[] => [
  ...new Set(texts.map((text) => readNumber(String(text), LARGEST_ID)).filter((id) => id !== null)),
];

/**
 * Returns the text as one line without control characters, at most SEARCH_LIMIT characters long. Nobody types control characters, and
 * PostgreSQL refuses NUL.
 */
export const searchText = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .trim()
    .replace(/ {2,}/g, " ")
    .slice(0, SEARCH_LIMIT)
    .trimEnd();

/** One parameter in the query string of a list page. */
export interface ListParam<Value> {
  /** The name of the parameter if it differs from that of the field. */
  name?: string;
  /** Returns the value of this parameter in the query string. Never throws: an invalid value gives the default. */
  read(query: URLSearchParams, name: string): Value;
  /** Returns the text for the query string. An empty text omits the parameter. */
  write(value: Value): string;
}

const parsed = <Value>(
  parse: (text: string) => Value | null,
  write: (value: Value) => string = String,
): ListParam<Value | null> => ({
  read: (query, name) => parse(query.get(name) ?? ""),
  write: (value) => (value === null ? "" : write(value)),
});

/** Gives a parameter a default, which is omitted from the query string. */
const withDefault = <Value>(param: ListParam<Value | null>, first: Value): ListParam<Value> => ({
  read: (query, name) => param.read(query, name) ?? first,
  write: (value) => {
    const text = param.write(value);
    return text === param.write(first) ? "" : text;
  },
});

const numberUpTo = (max: number) => parsed((text) => readNumber(text, max));

function sortBy<Key extends string>(keys: readonly Key[]) {
  const readSort = (text: string): SortOrder<Key> | null => {
    const [name, direction, ...rest] = text.split(".");
    const key = keys.find((known) => known === name);
    const isOrder = (direction === "asc" || direction === "desc") && rest.length === 0;
    return key && isOrder ? { key, direction } : null;
  };
  return parsed(readSort, ({ key, direction }) => `${key}.${direction}`);
}

/** One of these values, or null. */
export const oneOf = <const Value extends string | number>(
  values: readonly Value[],
  write: (value: Value) => string = String,
) => parsed((text) => values.find((value) => write(value) === text) ?? null, write);

/** One of these states, or null. The query string contains it in lower case. */
export const stateIn = <const State extends string>(states: readonly State[]) =>
  oneOf(states, (state) => state.toLowerCase());

/** A text that matches this pattern, or null. */
export const matching = (form: RegExp) => parsed((text) => form.exec(text)?.[0] ?? null);

/** The id of a row, or null. */
export const rowId = numberUpTo(LARGEST_ID);

/** The ids of rows in ascending order. */
export const rowIds: ListParam<number[]> = {
  read: (query, name) => ascending(chosenIds(query.getAll(name).flatMap((ids) => ids.split(".")))),
  write: (ids) => ascending(ids).join("."),
};

const ascending = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

/** One line of typed text. */
export const typedText: ListParam<string> = {
  read: (query, name) => searchText(query.get(name) ?? ""),
  write: searchText,
};

/** Several typed texts. */
export const typedTexts = <const Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, typedText])) as Record<Name, ListParam<string>>;

/** True when the parameter has the value 'yes'. */
export const yesFlag = (name: string): ListParam<boolean> => ({
  name,
  read: (query) => query.get(name) === "yes",
  write: (isSet) => (isSet ? "yes" : ""),
});

/** True when the query string contains any of these names, even without a value. It is never written. */
export const isGiven = (names: readonly string[]): ListParam<boolean> => ({
  read: (query) => names.some((name) => query.has(name)),
  write: () => "",
});

type ListParams = Record<string, ListParam<unknown>>;
type ValuesOf<Params extends ListParams> = { [Name in keyof Params]: ReturnType<Params[Name]["read"]> };

interface Definition<Key extends string, Filters extends ListParams> {
  /** The columns by which the list page can be sorted. */
  sorts: readonly Key[];
  /** The default sort order. */
  first: SortOrder<NoInfer<Key>>;
  /** The possible numbers of rows on a page. The first is the default. */
  sizes?: readonly [number, ...number[]];
  /** The filters and other values to keep, in the order of the query string. */
  filters: Filters;
}

/** One page of a list as described by its query string: the page number, rows per page, sort order and filters. */
export type ParamsOf<List extends { read: (query: URLSearchParams) => unknown }> = ReturnType<List["read"]>;

/** Reads and writes the query string of a list page whose path has parameters of its own. List pages with a fixed path use `defineList`. */
export function defineListQuery<const Key extends string, Filters extends ListParams>(
  definition: Definition<Key, Filters>,
) {
  const { sorts, first, sizes = PAGE_SIZES, filters } = definition;
  const order = { size: withDefault<number>(oneOf(sizes), sizes[0]), sort: withDefault(sortBy(sorts), first) };
  const page = withDefault(numberUpTo(LAST_PAGE), 1);
  const all = Object.entries<ListParam<unknown>>({ page, ...order, ...filters });
  type Params = ValuesOf<{ page: typeof page } & typeof order & Filters>;

  const query = (params: Partial<Params>, change: Partial<Params> = {}): URLSearchParams => {
    const values: Record<string, unknown> = { ...params, ...change };
    const written = new URLSearchParams();
    for (const [field, param] of all) {
      const text = values[field] === undefined ? "" : param.write(values[field]);
      if (text) written.set(param.name ?? field, text);
    }
    return written;
  };
  return {
    /** Returns the parameters in a query string. Never throws: invalid values give the default. */
    read: (query: URLSearchParams): Params =>
      Object.fromEntries(all.map(([field, param]) => [field, param.read(query, field)])) as Params,
    /** Returns the query string for these parameters. Defaults and undefined parameters are omitted. */
    query,
    /** Returns the part of the query string that a new search keeps: rows per page and sort order. */
    order: ({ size, sort }: Params): URLSearchParams => query({ size, sort } as Partial<Params>),
    /** Returns the path with the query string added. The path may already have one. */
    addTo: (path: string, params: Partial<Params>, change?: Partial<Params>): string => {
      const text = query(params, change).toString();
      return text ? path + (path.includes("?") ? "&" : "?") + text : path;
    },
  };
}

/** Reads and writes the query string of the list page at this path. */
export function defineList<const Key extends string, Filters extends ListParams>({
  path,
  ...definition
}: Definition<Key, Filters> & { path: string }) {
  const list = defineListQuery(definition);
  type Params = ParamsOf<typeof list>;
  return {
    ...list,
    /** Returns the URL of the list page with these parameters. */
    href: (params: Partial<Params>, change?: Partial<Params>): string => list.addTo(path, params, change),
  };
}

/** Returns how many pages `total` rows fill. An empty table has one page. */
export const pagesOf = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize));

/** Up to this many rows of a long list are counted. Counting a million rows takes longer than the rest of the page. */
const COUNTED = 10_000;

/** Paging ends after this many rows, so that nobody can have all rows counted by asking for a page far behind the last one. */
const REACHED = 100_000;

/** Returns up to how many rows of a long list to count: more than COUNTED when a later page needs to know whether there is a next one. */
const countLimit = ({ page, size }: { page: number; size: number }): number =>
  Math.min(Math.max(COUNTED, (page + 1) * size), REACHED);

/** Of a list that is only glanced at, such as by the search of everything, these rows are found and counted, whatever their order. */
export const GLANCED = 1000;

/** Of a list: whether it is only glanced at, because any of its rows will do. */
export interface Glance {
  isGlance?: boolean;
}

/**
 * Finds the requested page of a long list. When it is past the end, this is the last page that is counted. `hasMore` means that there are
 * more rows than `total`, which were not counted.
 *
 * @param count Returns the number of rows. It may stop counting at `limit`.
 */
export async function findPageOf(
  params: { page: number; size: number } & Glance,
  count: (limit: number) => Promise<number>,
): Promise<{ total: number; hasMore: boolean; pages: number; page: number; offset: number }> {
  const limit = params.isGlance ? GLANCED : countLimit(params);
  const counted = await count(limit + 1);
  const total = Math.min(counted, limit);
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  return { total, hasMore: counted > limit, pages, page, offset: (page - 1) * params.size };
}

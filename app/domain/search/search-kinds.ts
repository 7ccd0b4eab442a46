/** What the search finds, in the order of its results, with the headings. */
export const SEARCH_KINDS = {
  orders: "Orders",
  certificates: "Certificates",
  companies: "Companies",
  people: "People",
  invoices: "Invoices and credit notes",
  codes: "ID codes",
} as const;

export type SearchKind = keyof typeof SEARCH_KINDS;

/** As many results of each kind are shown. */
export const SHOWN_RESULTS = 3;

/** As many results are shown of numbers of which only the beginning was typed, because no list has all of them. */
export const SHOWN_NUMBERS = 10;

/** The indexes find words of at least this many characters. */
export const SHORTEST_WORD = 3;

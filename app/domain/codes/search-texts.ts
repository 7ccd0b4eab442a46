/** The maximum length of a code in the search (SRC-01). */
export const CODE_LIMIT = 6;
export const SEARCH_LIMITS = { company: 120, city: 90 } as const;

export const SEARCH_MESSAGES = {
  subcodeAlone: "You must specify the Code value when searching sub codes.",
  empty: "Specify code search details and try again.",
} as const;

export const NO_FOUND_CODE_CHOSEN = "Select a code first.";
export const FOREIGN_DETAILS = "Details of other owners' codes are shown to administrators only.";

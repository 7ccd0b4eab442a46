import { LARGEST_ID } from "~/lib/list-params";

/**
 * Reads an id or an order number from a search: 1001 for "1001", "so-1001" and "so1001", null for anything else.
 *
 * @param word The word in lower case.
 */
export function numberOf(word: string): number | null {
  const digits = /^(?:so-?)?(\d{1,10})$/.exec(word)?.[1];
  const value = Number(digits ?? Number.NaN);
  return value > 0 && value <= LARGEST_ID ? value : null;
}

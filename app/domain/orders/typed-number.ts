import { LARGEST_ID } from "~/lib/list-params";

/** An id or an order number as it is typed into a search, folded: "1001", "so-1001" → 1001; null for anything else. */
export function numberOf(word: string): number | null {
  const digits = /^(?:so-)?(\d{1,10})$/.exec(word)?.[1];
  const value = Number(digits ?? Number.NaN);
  return value > 0 && value <= LARGEST_ID ? value : null;
}

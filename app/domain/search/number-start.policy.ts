import { LARGEST_ID } from "~/lib/list-params";
import { type InvoiceKind } from "~db/tables";

/** Numbers from `from` to `to`, both included. */
export interface NumberRange {
  from: number;
  to: number;
}

/** What numbers of invoices or credit notes can be, of which only the beginning was typed. */
export interface InvoiceStart {
  kind: InvoiceKind;
  years: NumberRange;
  /** The ranges of their numbers, highest first. There are more than one only within a single year. */
  numbers: NumberRange[];
}

/** The beginning of a number is looked up when it has at least this many characters. */
export const SHORTEST_START = 5;

const LONGEST = String(LARGEST_ID).length;
const YEAR_DIGITS = 4;
/** Numbers of invoices are filled up with zeros to this many digits, those of corrections to fewer. */
export const PADDED_DIGITS = 5;

/** Returns the numbers of exactly so many digits, zeros before them included, that begin with these digits. */
function rangeOf(digits: string, length: number): NumberRange {
  const rest = 10 ** (length - digits.length);
  const first = Number(digits) * rest;
  return { from: first, to: Math.min(first + rest - 1, LARGEST_ID) };
}

/** Returns the ranges of the numbers that begin with these digits, highest first. */
function rangesOf(digits: string, shortest: number): NumberRange[] {
  const lengths = Array.from({ length: LONGEST + 1 }, (_, length) => length).filter(
    (length) => length >= Math.max(digits.length, shortest) && (length === shortest || !digits.startsWith("0")),
  );
  const ranges = lengths.map((length) => rangeOf(digits, length));
  return ranges.filter(({ from, to }) => to > 0 && from <= LARGEST_ID).reverse();
}

/**
 * Returns the ranges of the ids of orders whose number begins like this, such as `so-102`, highest first. Returns an empty array for anything
 * else, and for fewer than SHORTEST_START characters.
 *
 * @param word The word in lower case.
 */
export function orderStart(word: string): NumberRange[] {
  const [, digits = ""] = /^so-?([1-9]\d{0,9})$/.exec(word) ?? [];
  return digits === "" || word.length < SHORTEST_START ? [] : rangesOf(digits, 1);
}

const KINDS: Readonly<Record<string, InvoiceKind>> = { inv: "invoice", cn: "credit-note" };

/**
 * Returns what the numbers of invoices and credit notes can be that begin like this, such as `inv-2026` or `cn-2026-001`. Returns null for
 * anything else, and for fewer than SHORTEST_START characters.
 *
 * @param word The word in lower case.
 */
export function invoiceStart(word: string): InvoiceStart | null {
  const [, prefix = "", year = "", digits = ""] = /^(inv|cn)-?(\d{1,4})(?:(?<=-\d{4})-(\d{0,10}))?$/.exec(word) ?? [];
  const kind = KINDS[prefix];
  if (!kind || word.length < SHORTEST_START) return null;
  const numbers = digits === "" ? [{ from: 1, to: LARGEST_ID }] : rangesOf(digits, PADDED_DIGITS);
  return { kind, years: rangeOf(year, YEAR_DIGITS), numbers };
}

import { numberOf } from "~/domain/orders/typed-number";
import { foldForSearch } from "~/lib/fold-text";
import { LARGEST_ID, SEARCH_LIMIT } from "~/lib/list-params";
import { type InvoiceKind } from "~db/tables";
import { type InvoiceStart, invoiceStart, type NumberRange, orderStart, PADDED_DIGITS } from "./number-start.policy";
import { SHORTEST_WORD } from "./search-kinds";

export const SEARCH_ERRORS = {
  control: "Remove the control characters from the search words.",
  long: `Enter at most ${SEARCH_LIMIT} characters.`,
  short: `Enter a word of at least ${SHORTEST_WORD} characters, or a number.`,
} as const;

/** What a person typed into the search, understood in each possible way. */
export interface TypedWords {
  /** The words as they were typed, with single spaces. */
  text: string;
  /** The words that are long enough to be looked up, with single spaces. */
  words: string;
  /** The words that are too short to be looked up. */
  leftOut: string[];
  /** The id of an order. */
  orderId: number | null;
  /** The number of an invoice or a credit note. `kind` is null when the prefix was left out. */
  invoice: { kind: InvoiceKind | null; year: number; number: number } | null;
  /** The number of a correction, such as `COR-2026-0001`. */
  correction: { year: number; number: number } | null;
  /** The ranges of the ids of orders whose numbers begin with the text, highest first. */
  orderStart: NumberRange[];
  /** What the numbers of invoices and credit notes that begin with the text can be. */
  invoiceStart: InvoiceStart | null;
  /** Serial numbers in upper-case hex: digits can be a decimal and a hexadecimal number. */
  serials: string[];
  /** Fingerprints in upper-case hex. */
  sha1: string | null;
  sha256: string | null;
}

/** Serial numbers have at most 20 bytes (RFC 5280 §4.1.2.2), with a zero byte before them in some notations. */
const LARGEST_SERIAL = 1n << 160n;
const SHORTEST_SERIAL = 8;

/** Names that programs print before a number. */
const LABEL = /^(?:(?:serial|number|sha-?1|sha-?256|fingerprint|thumbprint)[\s:=]*)+/i;

const hexOf = (text: string): string | null => {
  const digits = text
    .replace(LABEL, "")
    .replace(/^0x/i, "")
    .replace(/[\s:.-]/g, "");
  return /^[\da-f]+$/i.test(digits) ? digits.toUpperCase() : null;
};

/** Returns a number in hex with an even number of digits, as serial numbers are stored. */
const evenHex = (value: bigint): string => {
  const hex = value.toString(16).toUpperCase();
  return hex.length % 2 === 0 ? hex : `0${hex}`;
};

function serialsOf(hex: string | null): string[] {
  if (hex === null || hex.length < SHORTEST_SERIAL) return [];
  const readings = [`0x${hex}`, ...(/^\d+$/.test(hex) ? [hex] : [])].map(BigInt);
  return [...new Set(readings.filter((value) => value > 0n && value < LARGEST_SERIAL).map(evenHex))];
}

const KINDS: Readonly<Record<string, InvoiceKind>> = { inv: "invoice", cn: "credit-note" };
const CORRECTION = "cor";

/**
 * Reads a number of a year, such as `INV-2026-00001` or `INV-2026-1`. The prefix can be empty. Some zeros that do not fill the number of an
 * invoice up, as in `INV-2026-0001`, make it the beginning of others.
 */
function numberOfYear(word: string): { prefix: string; year: number; number: number } | null {
  const [, prefix = "", year, digits = ""] = /^(?:(inv|cn|cor)-)?(\d{4})-(\d{1,10})$/.exec(word) ?? [];
  if (prefix !== CORRECTION && digits.startsWith("0") && digits.length < PADDED_DIGITS) return null;
  const number = Number(digits);
  return number > 0 && number <= LARGEST_ID ? { prefix, year: Number(year), number } : null;
}

/** Returns a word without the quotation marks, brackets and commas around it that came along from a message. */
function withoutMarks(word: string): string {
  const bare = word.replace(/^["'“”„‘’«(<[]+|["'“”‘’»)>\],;]+$/gu, "");
  return bare === "" ? word : bare;
}

/**
 * Reads the words of a search. Returns null when there are none, and an error when they cannot be looked up. Words that are too short are
 * left out when there are others.
 */
export function readTypedWords(typed: string): TypedWords | { text: string; error: string } | null {
  const text = typed.replace(/\s+/gu, " ").trim();
  if (text === "") return null;
  const clean = text.replace(/\p{Cc}/gu, "");
  if (clean !== text) return { text: clean.slice(0, SEARCH_LIMIT), error: SEARCH_ERRORS.control };
  if (text.length > SEARCH_LIMIT) return { text, error: SEARCH_ERRORS.long };
  const all = text.split(" ").map(withoutMarks);
  const isLong = (word: string) => [...foldForSearch(word)].length >= SHORTEST_WORD;
  const hex = hexOf(text);
  const folded = foldForSearch(text);
  const { prefix = "", ...ofYear } = numberOfYear(folded) ?? {};
  const isOfYear = "year" in ofYear;
  const read: TypedWords = {
    text,
    words: all.filter(isLong).join(" "),
    leftOut: all.filter((word) => !isLong(word)),
    orderId: numberOf(folded),
    invoice: isOfYear && prefix !== CORRECTION ? { kind: KINDS[prefix] ?? null, ...ofYear } : null,
    correction: isOfYear && prefix === CORRECTION ? ofYear : null,
    orderStart: orderStart(folded),
    invoiceStart: invoiceStart(folded),
    serials: serialsOf(hex),
    sha1: hex?.length === 40 ? hex : null,
    sha256: hex?.length === 64 ? hex : null,
  };
  const isNumber = read.orderId !== null || read.serials.length > 0 || read.sha256 !== null;
  return read.words === "" && !isNumber ? { text, error: SEARCH_ERRORS.short } : read;
}

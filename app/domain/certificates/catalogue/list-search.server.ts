import { numberOf } from "~/domain/orders/typed-number";
import { foldForSearch } from "~/lib/fold-text";
import { type SearchTerm } from "~db/repositories/certificate-list.server";
import { CERTIFICATE_STATUSES, SHOWN_ORDER_TYPES } from "~db/tables/certificates";

/** The last year that can be searched in both databases: the year after it must still have four digits. */
const LAST_YEAR = 9998;

/** Returns the period that DD/MM/YYYY or MM/YYYY covers, in UTC. Returns null for anything else and for days that do not exist. */
function periodOf(word: string): { from: string; to: string } | null {
  const [, day, month, year] = /^(?:(\d{1,2})\/)?(\d{1,2})\/(\d{4})$/.exec(word) ?? [];
  if (!month || !year || Number(year) > LAST_YEAR) return null;
  const from = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)));
  const exists = from.getUTCMonth() === Number(month) - 1 && from.getUTCDate() === Number(day ?? 1);
  if (!exists || from.getUTCFullYear() !== Number(year)) return null;
  const to = new Date(from);
  if (day) to.setUTCDate(to.getUTCDate() + 1);
  else to.setUTCMonth(to.getUTCMonth() + 1);
  return { from: from.toISOString(), to: to.toISOString() };
}

/** Removes colons from a serial number. Tools show serial numbers with colons, but they are stored without. */
const withoutColons = (word: string) => (/^[\da-f]{2}(:[\da-f]{2})+$/.test(word) ? word.replaceAll(":", "") : word);

/** Returns the names that begin with the word. A word needs at least three characters. */
const namesBeginningWith = <Name extends string>(word: string, names: readonly Name[]): Name[] =>
  word.length < 3 ? [] : names.filter((name) => name.toLowerCase().startsWith(word));

/** Returns one term for each word of a search. A row must match every term. */
export const searchTerms = (search: string): SearchTerm[] =>
  foldForSearch(search)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({
      text: withoutColons(word),
      number: numberOf(word),
      period: periodOf(word),
      statuses: namesBeginningWith(word, CERTIFICATE_STATUSES),
      orderTypes: namesBeginningWith(word, SHOWN_ORDER_TYPES),
    }));

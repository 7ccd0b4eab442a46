import { numberOf } from "~/domain/orders/typed-number";
import { foldForSearch } from "~/lib/fold-text";
import { type SearchTerm } from "~db/repositories/certificate-list.server";
import { CERTIFICATE_STATUSES, SHOWN_ORDER_TYPES } from "~db/tables";

/** The last whole year that both databases hold: the year after it still has four digits. */
const LAST_YEAR = 9998;

/** DD/MM/YYYY or MM/YYYY → the time that it covers, in UTC; null for anything else and for days that do not exist. */
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

/** Serial numbers are stored without the colons with which tools show them. */
const withoutColons = (word: string) => (/^[\da-f]{2}(:[\da-f]{2})+$/.test(word) ? word.replaceAll(":", "") : word);

/** The names that begin with a word of at least three characters. */
const namesBeginningWith = <Name extends string>(word: string, names: readonly Name[]): Name[] =>
  word.length < 3 ? [] : names.filter((name) => name.toLowerCase().startsWith(word));

/** The words of a search; a row must match each of them. */
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

import { setImmediate } from "node:timers/promises";
import { CrlEntries } from "~/ca/crl/entries.server";
import { getDb } from "~db/connection.server";
import {
  assignNewEntries,
  type CrlSummary,
  type EntrySelection,
  findLatestCrlSummary,
  findOldestCurrentBase,
  readRevokedEntries,
  takeCrlNumber,
} from "~db/repositories/crls.server";
import { inTransaction } from "~db/transaction.server";

/** About how many entries are read at a time. Those of one CRL stay together. */
const PAGE = 10_000;
/** By which factor the range of CRL numbers that is read next can differ from the one before. */
const MOST_CHANGE = 4;

/** The content of the CRLs with a number. It no longer changes once the transaction that took the number has ended. */
export interface CrlPlan {
  authorityId: number;
  number: number;
  /**
   * The number of the base CRL that the delta CRL adds to: the oldest current one. Without one, it is this number itself, and a base CRL is
   * published too.
   */
  baseNumber: number;
  endedBefore: EntrySelection["endedBefore"];
  /** The size of the latest base CRL in bytes, and how many entries it has: 0 when there is none. The next one will be about as long. */
  latest: Pick<CrlSummary, "size" | "entryCount">;
}

/**
 * Returns the limit for leaving out entries: those of certificates that had expired when the latest base CRL was issued. A clock that was
 * fast may have dated that CRL ahead. Its date then proves nothing about certificates that are valid now, so the earlier of its date and
 * now counts.
 */
function endedBefore(latest: CrlSummary | null, now: Date): EntrySelection["endedBefore"] {
  if (!latest) return null;
  const today = now.toISOString();
  return { number: latest.number, thisUpdate: latest.thisUpdate < today ? latest.thisUpdate : today };
}

/**
 * Takes the next CRL number and fixes its content: every entry committed so far belongs to this number or a lower one. A CRL with a higher
 * number therefore never lacks a revocation that a lower one has, in whatever order CRLs are signed and stored. A number that is lost in a
 * crash only leaves a gap. So do those that many new entries take one after the other, because SQLite lets no other request proceed while a
 * transaction with many changes is stored, or while the entries of one number are read. Must not be called in a transaction.
 */
export async function planCrl(authorityId: number, now: Date): Promise<CrlPlan> {
  for (;;) {
    const plan = await inTransaction(async (trx): Promise<CrlPlan | null> => {
      const number = await takeCrlNumber(trx, authorityId);
      if (await assignNewEntries(trx, authorityId, number)) return null;
      const latest = await findLatestCrlSummary(trx, authorityId, false);
      return {
        authorityId,
        number,
        baseNumber: (await findOldestCurrentBase(trx, authorityId, now)) ?? number,
        endedBefore: endedBefore(latest, now),
        latest: latest ?? { size: 0, entryCount: 0 },
      };
    });
    if (plan) return plan;
    await setImmediate();
  }
}

/** The entries of a CRL, joined, and how many they are. */
export interface CrlContent {
  entries: CrlEntries;
  count: number;
}

/**
 * Appends the entries of a selection, in the order of their CRLs. Returns how many they are. They are read by ranges of CRL numbers, because
 * looking for the number at which a page of entries ends would take as long as reading the page. The first range is what a page needs when
 * the entries are spread evenly, and each range after it follows from the one before.
 *
 * @param expected About how many entries there are. When nobody knows, the first range is one number.
 */
async function appendEntries(entries: CrlEntries, selection: EntrySelection, expected: number | null): Promise<number> {
  let total = 0;
  let range = expected === null ? 1 : ((selection.upTo - selection.above) * PAGE) / Math.max(expected, PAGE);
  for (let { above } = selection; above < selection.upTo;) {
    const upTo = Math.min(above + Math.ceil(range), selection.upTo);
    const { count, entries: page } = await readRevokedEntries(getDb(), { ...selection, above, upTo });
    if (page) entries.append(page);
    total += count;
    above = upTo;
    const change = Math.min(Math.max(PAGE / Math.max(count, 1), 1 / MOST_CHANGE), MOST_CHANGE);
    range = Math.max(range * change, 1);
    await setImmediate(); // lets other requests proceed while a long CRL is read
  }
  return total;
}

/**
 * Reads the entries of a plan from the database. `base` has all entries, `delta` only those above the base CRL to which the delta CRL
 * refers. Without `withBase`, `base` is null.
 */
export async function readCrlContent(
  { authorityId, number, baseNumber, endedBefore, latest }: CrlPlan,
  withBase: boolean,
): Promise<{ base: CrlContent | null; delta: CrlContent }> {
  const selection = { authorityId, endedBefore };
  const delta = { entries: new CrlEntries(), count: 0 };
  delta.count = await appendEntries(delta.entries, { ...selection, above: baseNumber, upTo: number }, null);
  if (!withBase) return { base: null, delta };
  const entries = new CrlEntries(latest.size + delta.entries.size);
  const count = await appendEntries(entries, { ...selection, above: 0, upTo: baseNumber }, latest.entryCount);
  entries.append(delta.entries.bytesFrom(0));
  return { base: { entries, count: count + delta.count }, delta };
}

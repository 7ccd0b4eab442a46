import { setImmediate } from "node:timers/promises";
import { getDb, type Trx } from "~db/connection.server";
import {
  assignNewEntries,
  type EntrySelection,
  findLatestCrlSummary,
  findOldestCurrentBase,
  readRevokedEntries,
  takeCrlNumber,
} from "~db/repositories/crls.server";

const PAGE = 10_000;

/** What a list under a number contains; fixed once the transaction that took the number has ended. */
export interface ListPlan {
  authorityId: number;
  number: number;
  /** The base list that a delta list adds to: the oldest current one; without one this number itself, which then is a base list, too. */
  baseNumber: number;
  endedBefore: EntrySelection["endedBefore"];
}

/**
 * Entries of certificates that had ended when the latest base list was issued may go. A list that a fast clock dated ahead
 * proves nothing about certificates that are still valid now, so the earlier of its date and now counts.
 */
async function endedBefore(trx: Trx, authorityId: number, now: Date): Promise<EntrySelection["endedBefore"]> {
  const latest = await findLatestCrlSummary(trx, authorityId, false);
  if (!latest) return null;
  const today = now.toISOString();
  return { number: latest.number, thisUpdate: latest.thisUpdate < today ? latest.thisUpdate : today };
}

/**
 * Takes the next number and fixes its content: every entry committed so far belongs to this list or to a lower one.
 * Whatever list has the higher number thus knows at least as much, in whatever order lists are signed and stored,
 * and a number that is lost in a crash leaves only a gap.
 */
export async function planList(trx: Trx, authorityId: number, now: Date): Promise<ListPlan> {
  const number = await takeCrlNumber(trx, authorityId);
  await assignNewEntries(trx, authorityId, number);
  return {
    authorityId,
    number,
    baseNumber: (await findOldestCurrentBase(trx, authorityId, now)) ?? number,
    endedBefore: await endedBefore(trx, authorityId, now),
  };
}

/** Entries one after the other, some thousands to a chunk, so that a long list is no heap of small objects. */
export interface ListContent {
  chunks: Buffer[];
  count: number;
}

async function readEntries(selection: EntrySelection): Promise<ListContent> {
  const content: ListContent = { chunks: [], count: 0 };
  for (let { above } = selection; above < selection.upTo;) {
    const { upTo, count, entries } = await readRevokedEntries(getDb(), { ...selection, above }, PAGE);
    if (entries) content.chunks.push(entries);
    content.count += count;
    above = upTo;
    await setImmediate(); // requests go on while a long list is read
  }
  return content;
}

/**
 * Reads the entries of the planned list from the database: in `delta` those above the base list that the delta refers to, in `base`
 * all of them; for a delta list alone (`withBase` false) the others are not read.
 */
export async function readListContent(
  { authorityId, number, baseNumber, endedBefore }: ListPlan,
  withBase: boolean,
): Promise<{ base: ListContent; delta: ListContent }> {
  const selection = { authorityId, endedBefore };
  const old = await readEntries({ ...selection, above: 0, upTo: withBase ? baseNumber : 0 });
  const delta = await readEntries({ ...selection, above: baseNumber, upTo: number });
  return { base: { chunks: [...old.chunks, ...delta.chunks], count: old.count + delta.count }, delta };
}

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
}

/**
 * Returns the limit for leaving out entries: those of certificates that had expired when the latest base CRL was issued. A clock that was
 * fast may have dated that CRL ahead. Its date then proves nothing about certificates that are valid now, so the earlier of its date and
 * now counts.
 */
async function endedBefore(trx: Trx, authorityId: number, now: Date): Promise<EntrySelection["endedBefore"]> {
  const latest = await findLatestCrlSummary(trx, authorityId, false);
  if (!latest) return null;
  const today = now.toISOString();
  return { number: latest.number, thisUpdate: latest.thisUpdate < today ? latest.thisUpdate : today };
}

/**
 * Takes the next CRL number and fixes its content: every entry committed so far belongs to this number or a lower one. A CRL with a higher
 * number therefore never lacks a revocation that a lower one has, in whatever order CRLs are signed and stored. A number that is lost in a
 * crash only leaves a gap.
 */
export async function planCrl(trx: Trx, authorityId: number, now: Date): Promise<CrlPlan> {
  const number = await takeCrlNumber(trx, authorityId);
  await assignNewEntries(trx, authorityId, number);
  return {
    authorityId,
    number,
    baseNumber: (await findOldestCurrentBase(trx, authorityId, now)) ?? number,
    endedBefore: await endedBefore(trx, authorityId, now),
  };
}

/** The entries of a CRL in sequence, in chunks of some thousands, so that a long CRL does not become a large number of small objects. */
export interface CrlContent {
  chunks: Buffer[];
  count: number;
}

async function readEntries(selection: EntrySelection): Promise<CrlContent> {
  const content: CrlContent = { chunks: [], count: 0 };
  for (let { above } = selection; above < selection.upTo;) {
    const { upTo, count, entries } = await readRevokedEntries(getDb(), { ...selection, above }, PAGE);
    if (entries) content.chunks.push(entries);
    content.count += count;
    above = upTo;
    await setImmediate(); // lets other requests proceed while a long CRL is read
  }
  return content;
}

/**
 * Reads the entries of a plan from the database. `base` has all entries, `delta` only those above the base CRL to which the delta CRL
 * refers. Without `withBase`, only the entries of the delta CRL are read.
 */
export async function readCrlContent(
  { authorityId, number, baseNumber, endedBefore }: CrlPlan,
  withBase: boolean,
): Promise<{ base: CrlContent; delta: CrlContent }> {
  const selection = { authorityId, endedBefore };
  const old = await readEntries({ ...selection, above: 0, upTo: withBase ? baseNumber : 0 });
  const delta = await readEntries({ ...selection, above: baseNumber, upTo: number });
  return { base: { chunks: [...old.chunks, ...delta.chunks], count: old.count + delta.count }, delta };
}

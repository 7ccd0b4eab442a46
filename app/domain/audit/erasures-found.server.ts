import { type DbOrTrx, getDb } from "~db/connection.server";
import {
  type AuditRow,
  findErasureEntry,
  listErasedEntries,
  listErasedUsers,
  listErasuresOf,
} from "~db/repositories/audit-chain.server";
import { nowhere, type TrailProblem } from "./problems";
import { listDigest } from "./seals.server";
import { entryFault, placeOf } from "./walk.server";

type Report = (problem: TrailProblem) => void;

/** Returns the SHA-256 of the list of a person's erased entries, as the entry of the erasure states it. */
export async function erasedListOf(db: DbOrTrx, userId: number): Promise<{ count: number; digest: string }> {
  const sequences = (await listErasuresOf(db, userId)).map(({ sequence }) => sequence ?? 0);
  return { count: sequences.length, digest: listDigest(sequences) };
}

/** Reports those of these entries whose data is erased although no erasure of a person lists them. */
export async function reportUnlisted(rows: readonly AuditRow[], report: Report): Promise<void> {
  const erased = rows.filter(({ erasedSeal }) => erasedSeal !== null);
  const listed = await listErasedEntries(
    getDb(),
    erased.map(({ id }) => id),
  );
  for (const row of erased)
    if (!listed.has(row.id))
      report({ place: placeOf(row), message: "its personal data is erased, but no erasure of a person lists it." });
}

/** Compares the list of a person's erased entries with the entry of the trail that seals it. */
async function verifyList(userId: number, report: Report): Promise<void> {
  const before = await findErasureEntry(getDb(), userId);
  const rows = await listErasuresOf(getDb(), userId);
  const entry = await findErasureEntry(getDb(), userId);
  if (entry?.id !== before?.id) return verifyList(userId, report); // the list grew while it was read
  if (!entry || entryFault(entry)) {
    const message = `Entries of account ${userId} are erased, but no entry of the trail says so.`;
    return report({ place: entry ? placeOf(entry) : nowhere, message });
  }
  if (listDigest(rows.map(({ sequence }) => sequence ?? 0)) !== entry.reference)
    report({
      place: placeOf(entry),
      message: "the list of the entries that it erased is not what was sealed: changed.",
    });
  for (const { id, sequence, at, erasedSeal } of rows)
    if (id !== null && erasedSeal === null)
      report({
        place: { sequence, entryId: id, at },
        message: `it was erased with the data of account ${userId}, and has been put back.`,
      });
}

/** Verifies the lists of all erasures, so that no personal data is erased quietly or put back. */
export async function verifyErasures(report: Report): Promise<void> {
  for (const userId of await listErasedUsers(getDb())) await verifyList(userId, report);
}

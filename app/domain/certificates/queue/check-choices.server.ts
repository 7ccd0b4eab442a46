import { getDb } from "~db/connection.server";
import { listCheckNotesBy } from "~db/repositories/check-notes.server";
import { OTHER_NOTE, STAFF_CHECKS, type StaffCheck } from "./queue-fields";

/** The notes that every officer can choose. */
const PRESETS: Readonly<Record<StaffCheck, readonly string[]>> = {
  contact: ["Called back through the switchboard", "Confirmed in writing"],
  organisation: ["Trade register seen", "Extract sent by the customer", "Known from an earlier order"],
  csr: ["Agrees with the register", "Differs in spelling only"],
};

/** How many notes of their own officers can choose for each check. */
const OWN_CHOICES = 2;

/** A longer note says something about one order, and is no text to use again. */
const LONGEST_CHOICE = 60;

/** Returns the notes of an officer that are worth offering again: the most frequent ones, of those the latest. */
function ownChoices(notes: readonly string[], check: StaffCheck): string[] {
  const known = [...PRESETS[check], OTHER_NOTE].map((text) => text.toLowerCase());
  const counts = new Map<string, number>();
  for (const note of notes)
    if (note.length <= LONGEST_CHOICE && !known.includes(note.toLowerCase()))
      counts.set(note, (counts.get(note) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, OWN_CHOICES)
    .map(([note]) => note);
}

/**
 * Returns the notes that an officer can choose for each check: those of the portal, then the officer's own, taken from what the officer
 * recorded before.
 */
export async function checkChoicesOf(user: { id: number; email: string }): Promise<Record<StaffCheck, string[]>> {
  const used = await listCheckNotesBy(getDb(), user);
  const choices = (check: StaffCheck) => [...PRESETS[check], ...ownChoices(used[check], check)];
  return Object.fromEntries(STAFF_CHECKS.map((check) => [check, choices(check)])) as Record<StaffCheck, string[]>;
}

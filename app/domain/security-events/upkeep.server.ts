import { setImmediate as rest } from "node:timers/promises";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { deleteSecurityEvents } from "~db/repositories/security-events.server";

const ROWS_AT_ONCE = 1000;

/** Removes the events that are older than `security.eventsKeptDays`, in portions. Returns how many were removed. */
export async function removeOldEvents(now: Date): Promise<number> {
  const before = addDays(now, -getConfig().security.eventsKeptDays);
  let removed = 0;
  for (;;) {
    const portion = await deleteSecurityEvents(getDb(), before, ROWS_AT_ONCE);
    removed += portion;
    if (portion < ROWS_AT_ONCE) return removed;
    await rest();
  }
}

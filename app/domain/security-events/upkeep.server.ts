import { inPortions } from "~/domain/jobs/portions.server";
import { getConfig } from "~/lib/config.server";
import { addDays } from "~/lib/dates";
import { getDb } from "~db/connection.server";
import { deleteSecurityEvents } from "~db/repositories/security-events.server";

/** Removes the events that are older than `security.eventsKeptDays`. Returns how many were removed. */
export function removeOldEvents(now: Date): Promise<number> {
  const before = addDays(now, -getConfig().security.eventsKeptDays);
  return inPortions((limit) => deleteSecurityEvents(getDb(), before, limit));
}

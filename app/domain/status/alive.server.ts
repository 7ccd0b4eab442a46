import { withTolerance } from "~/lib/clock";
import { logError } from "~/lib/log.server";
import { getDb } from "~db/connection.server";
import { findSetting, lockSetting, PORTAL, putSetting } from "~db/repositories/settings.server";
import { insertStatusEvent } from "~db/repositories/status-events.server";
import { inTransaction } from "~db/transaction.server";
import { isUnavailable } from "~db/unavailable.server";
import { ALIVE_EVERY_MS, DOWN_AFTER_MS } from "./times";

/** When a process last recorded that it works, and since when processes do so. */
const LAST_ALIVE = { name: "status.last-alive", userId: PORTAL };
const ALIVE_SINCE = { name: "status.alive-since", userId: PORTAL };

/** Returns since when the portal records that it works, or null before that. */
export const findAliveSince = (): Promise<string | null> => findSetting(getDb(), ALIVE_SINCE);

/** Returns the milliseconds since a stored time. One that a wrong clock has written, far ahead of now, counts as now. */
function ageOf(stored: string, now: Date): number {
  const at = new Date(stored);
  return at > withTolerance(now) ? 0 : now.getTime() - at.getTime();
}

/** Returns whether another process, or this one, has recorded a moment ago that the portal works. */
function isRecorded(last: string | null, now: Date): boolean {
  const age = last ? now.getTime() - Date.parse(last) : Infinity;
  return age >= 0 && age < ALIVE_EVERY_MS / 2;
}

/**
 * Records that a process of the portal works and can write to its database. When no process did so for a while, the portal was down
 * meanwhile. Any number of processes may call this: the portal is up while one of them works.
 */
export async function recordAlive(now = new Date()): Promise<void> {
  if (isRecorded(await findSetting(getDb(), LAST_ALIVE), now)) return;
  await inTransaction(async (trx) => {
    const last = await lockSetting(trx, LAST_ALIVE, now);
    if (isRecorded(last, now)) return;
    if (last === "") await putSetting(trx, ALIVE_SINCE, now.toISOString(), now);
    else if (ageOf(last, now) > DOWN_AFTER_MS)
      await insertStatusEvent(trx, { kind: "down", subject: "", begunAt: last, endedAt: now });
    // A clock that is a little behind does not take the time back.
    if (last === "" || ageOf(last, now) >= 0) await putSetting(trx, LAST_ALIVE, now.toISOString(), now);
  });
}

/** Records every half minute that this process works, until the process ends. `/readyz` reports an unavailable database. */
export function keepAlive(): void {
  const record = () =>
    void recordAlive().catch((error: unknown) => {
      if (!isUnavailable(error)) logError(error, { code: "status" });
    });
  record();
  setInterval(record, ALIVE_EVERY_MS).unref();
}

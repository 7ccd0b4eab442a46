import { LRUCache } from "lru-cache";
import { logError } from "~/lib/log.server";
import { memoize } from "~/lib/memoize.server";
import { getDb } from "~db/connection.server";
import { addToSecurityEvent, insertSecurityEvent } from "~db/repositories/security-events.server";
import { type NewRow } from "~db/tables";
import { type SecurityEventName } from "./events";
import { Flood } from "./flood.server";
import { writeLine } from "./lines.server";

type EventRow = NewRow<"securityEvents">;

/** A row and the number of its events that are not stored yet. `id` is null until the row is stored. */
interface Waiting {
  row: EventRow;
  id: number | null;
  times: number;
}

/** Writes events one after the other, while requests go on. Events that are counted in the same row are written together. */
class Writer {
  private readonly flood = new Flood();
  /** The latest requests with their events. The loaders of one page refuse the same request several times. */
  private readonly requests = new LRUCache<string, true>({ max: 1000 });
  private readonly waiting = new Set<Waiting>();
  private readonly counting = new Map<string, Waiting>();
  private work: Promise<void> | null = null;

  add(row: EventRow, now: Date): void {
    if (row.requestId && this.isRepeated(`${row.requestId} ${row.event}`)) return;
    writeLine(row);
    const waiting = this.rowFor(row, now);
    waiting.times += 1;
    waiting.row.lastAt = row.lastAt;
    this.waiting.add(waiting);
    this.work ??= this.write();
  }

  /** Resolves when every event that was added is stored, or could not be. */
  written(): Promise<void> {
    return this.work ?? Promise.resolve();
  }

  private isRepeated(name: string): boolean {
    const isKnown = this.requests.has(name);
    this.requests.set(name, true);
    return isKnown;
  }

  private rowFor(row: EventRow, now: Date): Waiting {
    const source = sourceOf(row);
    const name = this.flood.rowFor(row.event, source, now);
    if (name === null) return { row, id: null, times: 0 };
    const known = this.counting.get(name);
    if (known) return known;
    for (const old of this.counting.keys()) if (isOfOtherMinute(old, name)) this.counting.delete(old);
    const counted = { row: countedRow(row, name.endsWith(` ${source}`)), id: null, times: 0 };
    this.counting.set(name, counted);
    return counted;
  }

  private async write(): Promise<void> {
    await Promise.resolve();
    for (const waiting of this.waiting) {
      this.waiting.delete(waiting);
      await store(waiting).catch((error: unknown) => logError(error, { code: "security-events" }));
    }
    this.work = null;
  }
}

/** Events about an account that anybody can name. Whoever caused them is known by the network only. */
const ABOUT_ANYBODY: ReadonlySet<string> = new Set<SecurityEventName>([
  "login.failed",
  "account.throttled",
  "reset-code.refused",
  "sign-on.refused",
]);

const isByUser = ({ event, userId, actorName }: EventRow): boolean =>
  Boolean(userId && actorName) && !ABOUT_ANYBODY.has(event);

/** Returns who an event comes from: the network and, where it is known, the user with the administrator who acts as them. */
const sourceOf = (row: EventRow): string =>
  isByUser(row) ? `${row.network ?? ""} user ${row.userId} ${row.impersonatorId ?? ""}` : (row.network ?? "");

const COUNTED = "Further events of this kind within the same minute, counted together.";

/** Returns a row that counts many events. It says nothing that is true only of the first one, but names the user who caused all of them. */
function countedRow(row: EventRow, isOfSource: boolean): EventRow {
  const counted = { ...row, userAgent: null, path: null, requestId: null, detail: COUNTED };
  return isOfSource && isByUser(row) ? counted : { ...counted, userId: null, actorName: null, impersonatorId: null };
}

const isOfOtherMinute = (one: string, other: string) => one.split(" ")[0] !== other.split(" ")[0];

async function store(waiting: Waiting): Promise<void> {
  const { row, id, times } = waiting;
  waiting.times = 0;
  if (id === null) waiting.id = await insertSecurityEvent(getDb(), { ...row, times });
  else await addToSecurityEvent(getDb(), id, times, row.lastAt);
}

const writer = memoize(() => new Writer());

/** Stores an event in the background. A failure to store it is logged and changes nothing else. */
export const storeInBackground = (row: EventRow, now: Date): void => writer().add(row, now);

/** Resolves when every event of this process has been stored. */
export const securityEventsStored = (): Promise<void> => writer().written();

import { crlLife } from "~/domain/authorities/crl-life";
import { LATE_AFTER_MS } from "./times";

/** Whether something that is published regularly is on time, late but still valid, no longer valid, or not there at all. */
export type Freshness = "fresh" | "late" | "ended" | "missing";

/** What a published file or answer says about its own time, as ISO timestamps. */
interface Dated {
  thisUpdate: string;
  nextUpdate: string;
}

/** Returns when the next CRL is due at the latest. That of a root is due before its end, because people make it. */
export function dueOf({ isRoot, isDelta }: { isRoot: boolean; isDelta: boolean }, crl: Dated): Date {
  const { renewAfterMs, warnBeforeMs } = crlLife({ isRoot }, isDelta);
  return renewAfterMs === null
    ? new Date(Date.parse(crl.nextUpdate) - warnBeforeMs)
    : new Date(Date.parse(crl.thisUpdate) + renewAfterMs);
}

/** Returns the state of something that is valid until `nextUpdate` and that should be replaced at `due`. */
export function freshnessOf(dated: Pick<Dated, "nextUpdate"> | null, due: Date | null, now: Date): Freshness {
  if (!dated || !due) return "missing";
  if (Date.parse(dated.nextUpdate) <= now.getTime()) return "ended";
  return now.getTime() > due.getTime() + LATE_AFTER_MS ? "late" : "fresh";
}

/** Returns the value that this part of all values does not exceed, by the nearest rank. Returns null for no values. */
export function percentile(values: readonly number[], part: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(Math.ceil(part * sorted.length) - 1, 0)] ?? null;
}

/** A period of time: `from` is inclusive, `to` is exclusive. */
interface Period {
  from: Date;
  to: Date;
}

const overlap = (one: Period, other: Period): number =>
  Math.max(Math.min(one.to.getTime(), other.to.getTime()) - Math.max(one.from.getTime(), other.from.getTime()), 0);

/**
 * Returns how much of a period the portal was up. The percentage is rounded down to a thousandth, so that 100 means that nothing was missing.
 *
 * @param down The times in which the portal was down. They do not overlap.
 */
export function uptimeOf(period: Period, down: readonly Period[]) {
  const within = down.map((one) => overlap(one, period)).filter((ms) => ms > 0);
  const downMs = within.reduce((sum, ms) => sum + ms, 0);
  const whole = period.to.getTime() - period.from.getTime();
  const percent = whole > 0 ? Math.floor((1 - downMs / whole) * 100_000) / 1000 : 100;
  return { percent, downMs, interruptions: within.length };
}

/**
 * How far the clocks of processes may differ, in milliseconds. A stored timestamp that is further in the future than possible, by more than
 * this tolerance, was written by a wrong clock. It must not delay anything.
 */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** What a `ClockWatch` reads, in milliseconds: the wall clock, which can be set, and a steady clock, which cannot. */
export interface Clocks {
  wall: () => number;
  steady: () => number;
}

/**
 * Detects that the clock of this process was set by more than the tolerance, forward or back. Each call covers the time since the last
 * call.
 */
export class ClockWatch {
  private difference: number;
  private setAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly clocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() }) {
    this.difference = clocks.wall() - clocks.steady();
  }

  /** Returns the milliseconds since a change of the clock was detected, or Infinity when there was none. */
  evenFor(): number {
    const steady = this.clocks.steady();
    const difference = this.clocks.wall() - steady;
    if (Math.abs(difference - this.difference) > CLOCK_TOLERANCE_MS) this.setAt = steady;
    this.difference = difference;
    return steady - this.setAt;
  }
}

/** Returns `now` plus the tolerance. */
export const withTolerance = (now: Date): Date => new Date(now.getTime() + CLOCK_TOLERANCE_MS);

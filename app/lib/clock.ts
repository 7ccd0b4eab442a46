/**
 * Clocks of processes may differ by so much. A stored moment that lies further ahead than it can, and by more than this, was
 * written by a clock that was wrong: it must not keep anything from happening.
 */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** What a `ClockWatch` reads, in milliseconds: the clock, which can be set, and time, which cannot. */
export interface Clocks {
  wall: () => number;
  steady: () => number;
}

/** Notices that this process's clock was set by more than the tolerance, forward or back. It sees what happened since it was asked last. */
export class ClockWatch {
  private difference: number;
  private setAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly clocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() }) {
    this.difference = clocks.wall() - clocks.steady();
  }

  /** Milliseconds since the clock was seen to be set; Infinity when it never was. */
  evenFor(): number {
    const steady = this.clocks.steady();
    const difference = this.clocks.wall() - steady;
    if (Math.abs(difference - this.difference) > CLOCK_TOLERANCE_MS) this.setAt = steady;
    this.difference = difference;
    return steady - this.setAt;
  }
}

/** `now` and the tolerance. */
export const withTolerance = (now: Date): Date => new Date(now.getTime() + CLOCK_TOLERANCE_MS);

/**
 * Clocks of processes may differ by so much. A stored moment that lies further ahead than it can, and by more than this, was
 * written by a clock that was wrong: it must not keep anything from happening.
 */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** `now` and the tolerance. */
export const withTolerance = (now: Date): Date => new Date(now.getTime() + CLOCK_TOLERANCE_MS);

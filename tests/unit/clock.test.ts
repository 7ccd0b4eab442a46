import { describe, expect, test } from "vitest";
import { CLOCK_TOLERANCE_MS, ClockWatch } from "~/lib/clock";

function watched() {
  const time = { wall: 1_000_000_000, steady: 0 };
  const watch = new ClockWatch({ wall: () => time.wall, steady: () => time.steady });
  /** Lets `ms` milliseconds pass, while somebody moves the clock by `set` milliseconds. */
  const pass = (ms: number, set = 0) => {
    time.steady += ms;
    time.wall += ms + set;
    return watch.evenFor();
  };
  return pass;
}

describe("a clock that was changed", () => {
  test.each([1, -1])("[CAL-03] is noticed beyond the tolerance in both directions (%i)", (sign) => {
    const pass = watched();
    expect(pass(1000)).toBe(Number.POSITIVE_INFINITY);
    expect(pass(1000, sign * CLOCK_TOLERANCE_MS)).toBe(Number.POSITIVE_INFINITY);
    expect(pass(1000, sign * (CLOCK_TOLERANCE_MS + 1))).toBe(0);
    expect(pass(400)).toBe(400);
    expect(pass(600)).toBe(1000);
    expect(pass(5, sign * 1e10)).toBe(0);
  });
});

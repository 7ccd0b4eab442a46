import { describe, expect, test } from "vitest";
import { percentile, uptimeOf } from "~/domain/status/freshness.policy";
import { spanText } from "~/domain/status/times";

const at = (time: string) => new Date(`2027-01-${time}Z`);

test.each([
  [0, "0.00 seconds"],
  [4, "0.01 seconds"],
  [312, "0.32 seconds"],
  [1_290, "1.2 seconds"],
  [12_000, "12 seconds"],
  [119_999, "119 seconds"],
  [120_000, "2 minutes"],
  [7_199_999, "119 minutes"],
  [7_200_000, "2 hours"],
  [172_799_999, "47 hours"],
  [172_800_000, "2 days"],
])("[REP-05] %d milliseconds are %s", (ms, text) => {
  expect(spanText(ms)).toBe(text);
});

describe("[REP-05] figures of the public status", () => {
  test("a percentile is one of the values, by the nearest rank", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile(hundred, 1)]).toEqual([50, 99, 100]);
    expect([percentile([7], 0.5), percentile([7], 0.99), percentile([], 0.5)]).toEqual([7, 7, null]);
  });

  test("the uptime counts what lies within the period, and is rounded down", () => {
    const day = { from: at("02T00:00:00"), to: at("03T00:00:00") };
    expect(uptimeOf(day, [])).toEqual({ percent: 100, downMs: 0, interruptions: 0 });
    const over = [
      { from: at("01T23:00:00"), to: at("02T06:00:00") },
      { from: at("02T12:00:00"), to: at("02T12:00:01") },
      { from: at("03T00:00:00"), to: at("03T01:00:00") },
    ];
    expect(uptimeOf(day, over)).toEqual({ percent: 74.998, downMs: 6 * 3_600_000 + 1000, interruptions: 2 });
    const instant = [{ from: at("02T12:00:00.000"), to: at("02T12:00:00.001") }];
    expect(uptimeOf(day, instant).percent).toBe(99.999);
    expect(uptimeOf({ from: day.from, to: day.from }, []).percent).toBe(100);
  });
});

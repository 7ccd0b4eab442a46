import { expect, test } from "vitest";
import { formatDuration } from "~/domain/jobs/status.service.server";

test.each([
  [0, "0 ms"],
  [11.6, "12 ms"],
  [999, "999 ms"],
  [1000, "1.0 s"],
  [3_449, "3.4 s"],
  [59_999, "59.9 s"],
  [60_000, "1 min 0 s"],
  [125_999, "2 min 5 s"],
])("%d milliseconds are %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

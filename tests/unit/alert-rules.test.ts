import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ALERT_RULES } from "~/domain/alerts/catalogue.server";
import { sentencesOf } from "~/domain/alerts/rule.policy";
import { lateFrom } from "~/domain/jobs/timetable.server";

const operations = readFileSync("docs/operations.md", "utf8");

describe.each(ALERT_RULES.map((rule) => [rule.name, rule] as const))("the rule %s", (name, rule) => {
  test("is in docs/operations.md with its sentences", () => {
    const { what, otherwise, todo } = rule;
    expect(operations.replace(/\s+/g, " ")).toContain(
      `**\`${name}\`**, ${rule.severity}: ${what} ${otherwise} ${todo}`,
    );
  });

  test("names a section of docs/operations.md", () => {
    expect(operations).toMatch(new RegExp(`^##+ ${rule.section.replace(/[()]/g, "\\$&")}$`, "m"));
    expect(sentencesOf(rule)).toContain(`See '${rule.section}' in docs/operations.md.`);
  });
});

test("the names of the rules are unique", () => {
  expect(new Set(ALERT_RULES.map(({ name }) => name)).size).toBe(ALERT_RULES.length);
});

test.each([
  ["every 5 seconds", "*/5 * * * * *", "2026-11-27T10:00:05Z", "2026-11-27T10:15:10Z"],
  ["every hour", "0 10 * * * *", "2026-11-27T10:10:02Z", "2026-11-27T12:10:00Z"],
  ["every day", "0 40 2 * * *", "2026-11-27T02:41:00Z", "2026-11-28T03:40:00Z"],
])(
  "a job that runs %s is late a quarter of an hour, at most an hour, after its time",
  (_often, schedule, succeeded, late) => {
    const runs = { nextRunAt: "2026-11-27T11:00:00Z", lastSucceededAt: succeeded, lastFailedAt: null };
    expect(lateFrom(schedule, runs)).toEqual(new Date(late));
  },
);

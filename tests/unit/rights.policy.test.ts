import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { may, STAFF_RIGHT_NAMES, STAFF_RIGHTS, TASKS, type Task } from "~/domain/accounts/rights.policy";

const tasks = Object.keys(TASKS) as Task[];

/** Returns the rows of the table in docs/security/rights.md: the task, and whether each right allows it. */
function documented(): string[][] {
  const lines = readFileSync("docs/security/rights.md", "utf8").split("\n");
  return lines
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

test("docs/security/rights.md has every task with the rights that allow it", () => {
  const [head, , ...rows] = documented();
  expect(head).toEqual(["Task", ...Object.values(STAFF_RIGHT_NAMES)]);
  const expected = tasks.map((task) => [
    TASKS[task].text,
    ...STAFF_RIGHTS.map((right) => (may({ rights: [right] }, task) ? "yes" : "")),
  ]);
  expect(rows).toEqual(expected);
});

describe("rights of staff", () => {
  test("an auditor sees everything and changes nothing", () => {
    const allowed = tasks.filter((task) => may({ rights: ["auditor"] }, task));
    expect(allowed).toEqual(tasks.filter((task) => task.startsWith("see-")));
  });

  test("all rights together allow every task, and no right allows none", () => {
    expect(tasks.filter((task) => !may({ rights: STAFF_RIGHTS }, task))).toEqual([]);
    expect(tasks.filter((task) => may({ rights: [] }, task))).toEqual([]);
  });

  test.each([
    ["check-orders", "approve-orders"],
    ["approve-orders", "change-users"],
    ["approve-orders", "reissue-certificates"],
    ["approve-orders", "change-sales-orders"],
    ["change-users", "see-audit-trail"],
  ] as const)("no single right allows both %s and %s", (one, other) => {
    const both = STAFF_RIGHTS.filter((right) => may({ rights: [right] }, one) && may({ rights: [right] }, other));
    expect(both).toEqual([]);
  });
});

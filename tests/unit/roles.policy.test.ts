import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TASK_TEXTS } from "~/domain/companies/role-texts";
import {
  COMPANY_TASKS,
  type CompanyTask,
  mayAsMember,
  mayFor,
  ROLE_NAMES,
  roleNamesFor,
  ROLES,
} from "~/domain/companies/roles.policy";

const tasks = Object.keys(COMPANY_TASKS) as CompanyTask[];

const member = (role: (typeof ROLES)[number] | null) => ({ role, isApplicant: true });

/** Returns the rows of the table in docs/security/roles.md: the task, and whether each role allows it. */
function documented(): string[][] {
  const lines = readFileSync("docs/security/roles.md", "utf8").split("\n");
  return lines
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

test("docs/security/roles.md has every task with the roles that allow it", () => {
  const [head, , ...rows] = documented();
  expect(head).toEqual(["Task", ...Object.values(ROLE_NAMES)]);
  expect(rows).toEqual(
    tasks.map((task) => [TASK_TEXTS[task], ...ROLES.map((role) => (mayAsMember(member(role), task) ? "yes" : ""))]),
  );
});

describe("roles of members", () => {
  test("each one may all that the later ones may, and strangers may nothing", () => {
    for (const task of tasks) {
      const allowed = ROLES.map((role) => mayAsMember(member(role), task));
      expect({ task, allowed }).toEqual({
        task,
        allowed: allowed.toSorted((one, other) => Number(other) - Number(one)),
      });
      expect(mayAsMember(member(null), task)).toBe(false);
    }
  });

  test("count only in the company in which the person works", () => {
    const owner = { companyId: 1, role: "owner", isApplicant: true } as const;
    expect([1, 2].map((companyId) => mayFor(owner, { companyId }, "see-company"))).toEqual([true, false]);
  });

  test("do not replace the right Applicant", () => {
    const refused = tasks.filter((task) => !mayAsMember({ role: "owner", isApplicant: false }, task));
    expect(refused).toEqual(["prepare-renewals", "place-orders", "register-codes"]);
  });

  test("are named in words", () => {
    expect(roleNamesFor("manage-company")).toBe("Owner");
    expect(roleNamesFor("download-certificates")).toBe("Owner, Purchaser or Technical");
  });
});

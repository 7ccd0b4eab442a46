import { expect, test } from "vitest";
import { missingStaff } from "~/domain/accounts/administration/staffing.policy";
import { STAFF_RIGHTS } from "~/domain/accounts/rights.policy";
import { type StaffRight } from "~db/tables";

const member = (id: number, rights: readonly StaffRight[], name = `Member ${id}`) => ({
  person: { id, mergedInto: null, names: [name], emails: [`member-${id}@ca.example`] },
  rights,
});

const CHECK = "Nobody can record the checks of an order.";
const APPROVE = "Nobody can approve an order.";
const ALONE = "Only one person can record the checks of an order and approve it";
const GRANT = "Two user administrators together grant the rights";

const all = member(1, STAFF_RIGHTS);

test.each([
  ["nobody", [], [CHECK, APPROVE, GRANT]],
  ["one administrator", [all], [ALONE, GRANT]],
  ["one person with two accounts", [all, member(2, STAFF_RIGHTS, "member 1")], [ALONE, GRANT]],
  ["an administrator and an officer", [all, member(2, ["registration-officer"])], [GRANT]],
  ["an administrator and an auditor", [all, member(2, ["auditor"])], [ALONE, GRANT]],
  ["two user administrators", [member(1, ["user-administrator"]), member(2, ["user-administrator"])], [CHECK, APPROVE]],
  ["two administrators", [all, member(2, STAFF_RIGHTS)], []],
] as const)("what is missing for the strict four-eyes principle: %s", (_, staff, expected) => {
  const missing = missingStaff(staff);
  expect(missing).toHaveLength(expected.length);
  expected.forEach((text, index) => expect(missing[index]).toContain(text));
  for (const text of missing) expect(text).toMatch(/'Users'|--operator WHO/);
});

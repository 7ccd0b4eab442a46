import { may, RIGHT_NAMES, type RightsHolder, type Task } from "../rights.policy";
import { isSamePerson, type Person } from "../same-person.policy";
import { grantCommand } from "./dual-control.policy";

/** A member of staff who can log in, with the rights that count. */
export interface StaffMember extends RightsHolder {
  person: Person;
}

const ISSUING: readonly [Task, Task] = ["check-orders", "approve-orders"];

/** Returns whether two of these are two persons who can do one task each. */
const areTwo = (some: readonly StaffMember[], others: readonly StaffMember[]): boolean =>
  some.some(({ person }) => others.some((other) => !isSamePerson(person, other.person)));

/**
 * Returns what the strict four-eyes principle needs and the portal's staff cannot do yet, with what to do about it, one sentence or two for
 * each. Several accounts of one person count as one.
 */
export function missingStaff(staff: readonly StaffMember[]): string[] {
  const whoMay = (task: Task) => staff.filter((member) => may(member, task));
  const [checkers, approvers] = ISSUING.map(whoMay) as [StaffMember[], StaffMember[]];
  const administrators = whoMay("change-users");
  const areEnough = checkers.length === 0 || approvers.length === 0 || areTwo(checkers, approvers);
  const missing = [
    checkers.length === 0 &&
      `Nobody can record the checks of an order. A user administrator gives somebody the right ${RIGHT_NAMES["registration-officer"]} on the page 'Users'.`,
    approvers.length === 0 &&
      `Nobody can approve an order. Two user administrators together give somebody the right ${RIGHT_NAMES.approver} on the page 'Users', or whoever runs the portal does with ${grantCommand("Approver")}.`,
    !areEnough &&
      `Only one person can record the checks of an order and approve it, but two persons must, so no certificate can be issued. A user administrator gives a second person's account the right ${RIGHT_NAMES["registration-officer"]} on the page 'Users', or whoever runs the portal does with ${grantCommand('"Registration officer"')}.`,
    !areTwo(administrators, administrators) &&
      `Two user administrators together grant the rights Approver, User administrator and Admin, and there is ${administrators.length === 0 ? "none" : "only one"}. Whoever runs the portal gives a second person's account the right with ${grantCommand('"User administrator"')}.`,
  ];
  return missing.filter((text) => text !== false);
}
